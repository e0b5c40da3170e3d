import type { AgentMessage } from '#domain/inventory/agent-message.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isBlank } from '#domain/text/blank-text.ts';
import { unindexableReason } from '#domain/text/storable-text.ts';

/** An agent has about ten; they are sent back. */
const MAX_TASKS = 100;
const MAX_TASK_LENGTH = 100;

/** Reads `deviceid`, `installed-tasks` and `enabled-tasks` only. */
export function readContact(message: object): Result<AgentMessage, readonly string[]> {
  const {
    deviceid,
    'installed-tasks': installed = [],
    'enabled-tasks': enabled = [],
  } = message as Readonly<Record<string, unknown>>;
  const faults = [
    deviceIdFault(deviceid),
    taskFault('installed-tasks', installed),
    taskFault('enabled-tasks', enabled),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) return err(faults);
  const tasks = [...(installed as readonly string[]), ...(enabled as readonly string[])];
  const names = new Set(tasks.map((task) => task.toLowerCase()));
  return ok({ kind: 'contact', inventoryId: deviceid as string, tasks: [...names] });
}

/** Null if valid. */
export function deviceIdFault(value: unknown): string | null {
  if (typeof value !== 'string' || isBlank(value)) return 'deviceid must be a text that is not empty';
  const reason = unindexableReason(value);
  return reason === null ? null : `deviceid ${reason}`;
}

function taskFault(name: string, value: unknown): string | null {
  const isList =
    Array.isArray(value) &&
    value.length <= MAX_TASKS &&
    value.every((task) => typeof task === 'string' && task.length <= MAX_TASK_LENGTH);
  return isList ? null : `${name} must be a list of at most ${MAX_TASKS} names of tasks`;
}
