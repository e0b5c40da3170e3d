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
import {
  DEFAULT_CONTACT_MINUTES,
  DEFAULT_EXPIRATION_HOURS,
  isInventoryDue,
} from '#domain/inventory/presence.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { toDocumentError } from './take-inventory.ts';
import { TITLE_REFUSALS } from './title-refusals.ts';

export interface MachineReport extends Visit {
  readonly key: string;
  /** The key's organization when the request began. */
  readonly orgId: OrgId;
  readonly userAgent: string | null;
  readonly document: CodedDocument;
}

export type AgentAnswer =
  /** Makes the agent continue in JSON. */
  | { readonly kind: 'welcome' }
  | {
      readonly kind: 'tasks';
      /** Until the agent's next contact. */
      readonly contactMinutes: number;
      /** Tasks that the agent skips until its next contact. */
      readonly disabled: readonly string[];
      /** The machine is new and needs a full inventory. */
      readonly isNew: boolean;
    }
  | { readonly kind: 'stored' };

/** A refused report changes nothing. Only a device's first report is audited. */
export type AnswerAgent = (report: MachineReport) => Promise<Result<AgentAnswer, ApplicationError>>;

export interface AnswerAgentDeps {
  readonly readMessage: MessageReader;
  readonly reporters: ReporterVerifier;
  readonly inventoryStore: InventoryStore;
  readonly makeVisitEntry: MakeVisitEntry;
  /** Default: 15. */
  readonly contactMinutes?: number | undefined;
  /** Hours between whole inventories. Default: 24. */
  readonly expirationHours?: number | undefined;
  readonly clock: Clock;
}

export function makeAnswerAgent(deps: AnswerAgentDeps): AnswerAgent {
  const { contactMinutes = DEFAULT_CONTACT_MINUTES, expirationHours = DEFAULT_EXPIRATION_HOURS } = deps;
  return async (report) => {
    const message = await deps.readMessage(report.document, report.orgId);
    if (!message.ok) return err(toDocumentError(message.error));
    // The key may have been revoked while the document arrived.
    const key = await deps.reporters.confirm(report.key);
    if (key === null) return err(UNKNOWN_ENROLMENT_KEY);
    switch (message.value.kind) {
      case 'prolog':
        return ok({ kind: 'welcome' });
      case 'contact': {
        const { inventoryId, tasks } = message.value;
        const now = deps.clock();
        const known = await deps.inventoryStore.contact({
          orgId: key.orgId,
          inventoryId,
          ip: report.ip,
          now,
        });
        const isDue = isInventoryDue(known?.inventoriedAt ?? null, now, expirationHours);
        const disabled = tasks.filter((task) => task !== INVENTORY_TASK || !isDue);
        return ok({ kind: 'tasks', contactMinutes, disabled, isNew: known === null });
      }
      case 'inventory': {
        const { inventory } = message.value;
        const stored = await storeReport({ ...deps, expirationHours }, report, key, inventory);
        return stored.ok ? ok({ kind: 'stored' }) : err(REFUSALS[stored.error]);
      }
    }
  };
}

/** The User-Agent of agents, such as `GLPI-Agent_v1.7`. Programs that forward inventories do not match. */
const AGENT = /^[^\s/]+-Agent_v/i;

function storeReport(
  deps: AnswerAgentDeps & { readonly expirationHours: number },
  { userAgent, requestId, ip }: MachineReport,
  { id: enrolmentKeyId, orgId, siteId }: EnrolmentKey,
  inventory: DeviceInventory,
): ReturnType<InventoryStore['store']> {
  const { expirationHours, clock } = deps;
  const makesContact = AGENT.test(userAgent ?? '');
  const about = { orgId, siteId, inventory, ip, makesContact, expirationHours };
  const reading = { ...about, source: 'report', now: clock() } as const;
  return deps.inventoryStore.store(reading, ({ deviceId, isFirstReport }) =>
    isFirstReport
      ? {
          ...deps.makeVisitEntry(
            { requestId, ip },
            {
              action: 'device.enrolled',
              resourceId: deviceId,
              orgId,
              partnerId: null,
              details: {},
            },
          ),
          actor: { type: 'enrolment_key', id: enrolmentKeyId },
        }
      : null,
  );
}

/** One message for unknown, expired and revoked keys, so callers cannot tell which keys exist. */
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
  // The organization or site was removed after the key was confirmed. If only the site is gone, the key stays
  // valid and the next report succeeds.
  'unknown-organization': UNKNOWN_ENROLMENT_KEY,
  'unknown-site': UNKNOWN_ENROLMENT_KEY,
};
