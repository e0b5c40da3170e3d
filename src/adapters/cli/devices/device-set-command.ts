/** `device set` and `device undo` follow the rules of `POST /devices/bulk`. */
import { Command, Option } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { explainError, operatorCall } from '#adapters/cli/operator-call.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findFilter, findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import type { Backend } from '#application/backend.ts';
import type { BulkChangeInput } from '#application/devices/bulk-change-input.ts';
import type { DeviceUseCases } from '#application/devices/device-use-cases.ts';
import { narrowTo, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { HAND_SET_STATUSES } from '#domain/device/revise-device.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import { type OrgId, parseId } from '#domain/ids.ts';

interface SetOptions {
  readonly query?: string;
  readonly filter?: string;
  readonly ids?: string;
  readonly org?: string;
  readonly addTag: readonly string[];
  readonly removeTag: readonly string[];
  readonly custom: readonly string[];
  readonly status?: string;
  readonly expect?: string;
}

export function deviceSetCommand(runtime: CliRuntime): Command {
  return new Command('set')
    .description('Change tags, custom values or status of many devices, or of none')
    .option('--query <text>', 'the devices that match a filter such as "status:online tags:vip"')
    .option('--filter <filter>', 'the devices that this saved filter matches, by id or name')
    .option('--ids <ids>', 'the devices with these ids, separated by commas')
    .option('--org <org>', 'only devices of this organization, by id or name (default: all)')
    .option('--add-tag <tag>', 'add a tag; may be repeated', collect, [])
    .option('--remove-tag <tag>', 'remove a tag; may be repeated', collect, [])
    .option(
      '--custom <key=value>',
      'set a custom value, or remove it with key=; may be repeated',
      collect,
      [],
    )
    .addOption(new Option('--status <status>', 'set the status').choices(HAND_SET_STATUSES))
    .option('--expect <number>', 'change them if exactly so many devices match (default: change nothing)')
    .addHelpText(
      'after',
      '\nWithout --expect the command says how many devices match and what it would change. All devices are changed\nin one transaction, or none; `device undo` gives back what nobody has changed since, for ten minutes.',
    )
    .action(async (options: SetOptions) => {
      await withBackend(runtime, async (backend) => {
        const { bulkChangeDevices } = await operatorDevices(runtime, backend, 'device set');
        const input = await toInput(backend, options);
        const { expect } = options;
        // No fleet has this many devices, so nothing changes, and the refusal says how many match.
        const expectedCount = expect === undefined ? Number.MAX_SAFE_INTEGER : Number(expect);
        const done = await bulkChangeDevices(operatorCall(runtime), { ...input, expectedCount });
        if (done.ok) {
          const { changed, unchanged, operationId } = done.value;
          return print(
            `changed ${devices(changed)}; ${unchanged.toLocaleString('en')} ${unchanged === 1 ? 'was' : 'were'} so already\nundo within ten minutes: fleetsift device undo ${operationId}`,
          );
        }
        const { error } = done;
        if (error.code !== 'count_changed')
          throw new CommandFailed(explainError(error, OPTIONS, options.query));
        if (expect === undefined) return print(announce(options, error.actualCount));
        throw new CommandFailed(
          `${devices(error.actualCount)} ${error.actualCount === 1 ? 'matches' : 'match'} now, not ${expect}; nothing was changed`,
        );
      });
    });
}

export function deviceUndoCommand(runtime: CliRuntime): Command {
  return new Command('undo')
    .description('Give back what a `device set` changed, wherever nobody has changed it since')
    .argument('<operation>', 'the id that `device set` printed, for ten minutes')
    .action(async (typed: string) => {
      const id = parseId<'bulk-change'>(typed);
      if (id === null) throw new CommandFailed('OPERATION must be the id that `device set` printed');
      await withBackend(runtime, async (backend) => {
        const { undoBulkChange } = await operatorDevices(runtime, backend, 'device undo');
        const done = await undoBulkChange(operatorCall(runtime), id);
        if (!done.ok) {
          throw new CommandFailed('no `device set` with this id can be undone; its ten minutes may be over');
        }
        const { restored, skipped } = done.value;
        print(`gave back ${devices(restored)}; skipped ${skipped.toLocaleString('en')}`);
      });
    });
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

async function operatorDevices(
  runtime: CliRuntime,
  backend: Backend,
  command: string,
): Promise<DeviceUseCases> {
  const { makeDeviceUseCases } = await import('#application/devices/device-use-cases.ts');
  return makeDeviceUseCases({
    ...backend,
    clock: runtime.clock,
    newId: runtime.newId,
    cursors: { seal: () => '', open: () => null },
    filterTimeoutMs: 0,
    makeEntry: (_call, facts) => systemEntry(runtime, { ...facts, command }),
  });
}

async function toInput(backend: Backend, options: SetOptions): Promise<BulkChangeInput> {
  const { query, filter, ids, org, addTag, removeTag, status } = options;
  const orgId = org === undefined ? undefined : await findOrganization(backend, org);
  return {
    ...(query !== undefined && { q: query }),
    ...(filter !== undefined && { filterId: await findFilter(backend, orgId, filter) }),
    ...(ids !== undefined && { ids: ids.split(',').map((id) => id.trim()) }),
    ...(orgId !== undefined && { orgId }),
    change: {
      addTags: addTag,
      removeTags: removeTag,
      custom: await readCustom(backend, orgId, options.custom),
      ...(status !== undefined && { status }),
    },
  };
}

/** A value that does not fit its field stays text, which the use case refuses with a reason. */
async function readCustom(
  { customFields }: Pick<Backend, 'customFields'>,
  orgId: OrgId | undefined,
  pairs: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  if (pairs.length === 0) return {};
  const defined = await customFields(orgId === undefined ? SYSTEM_SCOPE : narrowTo(SYSTEM_SCOPE, orgId));
  const entries = pairs.map((pair): readonly [string, unknown] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new CommandFailed(`--custom takes key=value, not "${pair}"`);
    const [key, text] = [pair.slice(0, at), pair.slice(at + 1)];
    const types = new Set(defined.filter((field) => field.key === key).map(({ type }) => type));
    return [key, readValue(text, types)];
  });
  return Object.fromEntries(entries);
}

function readValue(text: string, types: ReadonlySet<CustomFieldDefinition['type']>): unknown {
  if (text === '') return null;
  if (types.size !== 1) return text;
  if (types.has('number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function announce({ addTag, removeTag, custom, status }: SetOptions, count: number): string {
  const parts = [
    ...addTag.map((tag) => `add the tag ${tag}`),
    ...removeTag.map((tag) => `remove the tag ${tag}`),
    ...custom.map((pair) => (pair.endsWith('=') ? `remove ${pair.slice(0, -1)}` : `set ${pair}`)),
    ...(status === undefined ? [] : [`set the status ${status}`]),
  ];
  return `would ${parts.join(', ')} on ${devices(count)}\nto do so, add --expect ${count}`;
}

function devices(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'device' : 'devices'}`;
}

const OPTIONS: Readonly<Record<string, string>> = {
  orgId: '--org',
  filterId: '--filter',
  q: '--query',
  ids: '--ids',
  expectedCount: '--expect',
  conditions: '--query, --filter or --ids',
  'change.addTags': '--add-tag',
  'change.removeTags': '--remove-tag',
  'change.custom': '--custom',
  'change.status': '--status',
  change: '--add-tag, --remove-tag, --custom or --status',
};
