/** Answers agents that report (POST /inventory; Contract: §13). */
import type { ApplicationError } from '#application/application-error.ts';
import type { MakeVisitEntry } from '#application/audit/make-entry.ts';
import type { Visit } from '#application/call.ts';
import type { ReporterVerifier } from '#application/ports/auth/reporter-verifier.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { InventoryRefusal, InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import type { CodedDocument, MessageReader } from '#application/ports/fleet/message-reader.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { OrgId } from '#domain/ids.ts';
import { type DeviceInventory, INVENTORY_TASK } from '#domain/inventory/device-inventory.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { toDocumentError } from './take-inventory.ts';
import { TITLE_REFUSALS } from './title-refusals.ts';

// Machines whose partial inventory was refused because they are unknown. Their next contact asks for a full one
// (Contract: §13). Per process and bounded; a forgotten machine returns with its next refusal.

const MAX_MACHINES = 10_000;

/** Real ids have some forty characters. */
const MAX_ID_LENGTH = 500;

export class RefusedMachines {
  /** In order of refusal. */
  readonly #machines = new Set<string>();

  add(orgId: OrgId, inventoryId: string): void {
    if (inventoryId.length > MAX_ID_LENGTH) return;
    this.#machines.add(toKey(orgId, inventoryId));
    const [oldest] = this.#machines;
    if (this.#machines.size > MAX_MACHINES && oldest !== undefined) this.#machines.delete(oldest);
  }

  has(orgId: OrgId, inventoryId: string): boolean {
    return this.#machines.has(toKey(orgId, inventoryId));
  }
}

function toKey(orgId: OrgId, inventoryId: string): string {
  return `${orgId} ${inventoryId}`;
}

/** A report of a machine with its enrolment key. */
export interface MachineReport extends Visit {
  /** The enrolment key that the machine presents. */
  readonly key: string;
  readonly document: CodedDocument;
}

export type AgentAnswer =
  /** Makes the agent continue in JSON. */
  | { readonly kind: 'welcome' }
  /** Asks for an inventory and disables the other tasks. `mustBeFull` after a partial inventory was refused. */
  | { readonly kind: 'tasks'; readonly otherTasks: readonly string[]; readonly mustBeFull: boolean }
  | { readonly kind: 'stored' };

/** A refusal changes nothing. Only a device's first report is audited. */
export type AnswerAgent = (report: MachineReport) => Promise<Result<AgentAnswer, ApplicationError>>;

export interface AnswerAgentDeps {
  readonly readMessage: MessageReader;
  readonly reporters: ReporterVerifier;
  readonly inventoryStore: InventoryStore;
  readonly makeVisitEntry: MakeVisitEntry;
  readonly clock: Clock;
}

export function makeAnswerAgent(deps: AnswerAgentDeps): AnswerAgent {
  const refused = new RefusedMachines();
  return async (report) => {
    const message = await deps.readMessage(report.document);
    if (!message.ok) return err(toDocumentError(message.error));
    // Checked again: the key may have been revoked while the document arrived.
    const key = await deps.reporters.confirm(report.key);
    if (key === null) return err(UNKNOWN_ENROLMENT_KEY);
    switch (message.value.kind) {
      case 'prolog':
        return ok({ kind: 'welcome' });
      case 'contact': {
        const { inventoryId, tasks } = message.value;
        // Another process may have learned of the machine.
        const mustBeFull =
          refused.has(key.orgId, inventoryId) && !(await deps.inventoryStore.knows(key.orgId, inventoryId));
        return ok({ kind: 'tasks', otherTasks: tasks.filter((task) => task !== INVENTORY_TASK), mustBeFull });
      }
      case 'inventory': {
        const { inventory } = message.value;
        const stored = await storeReport(deps, report, key, inventory);
        if (stored.ok) return ok({ kind: 'stored' });
        if (stored.error === 'unknown-device') refused.add(key.orgId, inventory.inventoryId);
        return err(REFUSALS[stored.error]);
      }
    }
  };
}

function storeReport(
  deps: AnswerAgentDeps,
  visit: Visit,
  { id: enrolmentKeyId, orgId, siteId }: EnrolmentKey,
  inventory: DeviceInventory,
): ReturnType<InventoryStore['store']> {
  const reading = { orgId, siteId, source: 'report', inventory, ip: visit.ip, now: deps.clock() } as const;
  return deps.inventoryStore.store(reading, ({ deviceId, isFirstReport }) =>
    isFirstReport
      ? {
          ...deps.makeVisitEntry(visit, {
            action: 'device.enrolled',
            resourceId: deviceId,
            orgId,
            partnerId: null,
            details: {},
          }),
          actor: { type: 'enrolment_key', id: enrolmentKeyId },
        }
      : null,
  );
}

/** Unknown, expired and revoked keys get the same answer. */
export const UNKNOWN_ENROLMENT_KEY: ApplicationError = {
  code: 'unauthenticated',
  detail:
    'The enrolment key is unknown, has expired or has been revoked; send one as the password of HTTP Basic, with any user name.',
};

const REFUSALS: Readonly<Record<InventoryRefusal, ApplicationError>> = {
  ...TITLE_REFUSALS,
  'unknown-device': {
    code: 'conflict',
    detail:
      'This machine is not known here, and the inventory is partial; send a full one (glpi-agent --full).',
  },
  // Cannot happen: keys refer to both, and neither is ever removed.
  'unknown-organization': UNKNOWN_ENROLMENT_KEY,
  'unknown-site': UNKNOWN_ENROLMENT_KEY,
};
