import {
  refuseWithoutDevicesWrite,
  toOwnerError,
  UNKNOWN_ORGANIZATION,
} from '#application/access/refusals.ts';
import {
  type ApplicationError,
  type FieldError,
  invalidField,
  toValidationError,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type {
  InventoryOutcome,
  InventoryRefusal,
  InventoryStore,
} from '#application/ports/fleet/inventory-store.ts';
import {
  type CodedDocument,
  type DocumentRefusal,
  MAX_DOCUMENT_BYTES,
  type MessageReader,
} from '#application/ports/fleet/message-reader.ts';
import { resolveNamedOrg } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { TITLE_REFUSALS } from './title-refusals.ts';

/**
 * Stores an inventory from a script, as `import` does from a file (POST /inventory; Contract: §9, §13). Needs
 * devices:write. Organization-scoped callers report for their own organization.
 */
export type TakeInventory = (
  call: Call,
  /** `orgId` is null if the request names none. */
  input: { readonly orgId: OrgId | null; readonly document: CodedDocument },
) => Promise<Result<InventoryOutcome, ApplicationError>>;

export interface TakeInventoryDeps {
  readonly readMessage: MessageReader;
  readonly inventoryStore: InventoryStore;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeTakeInventory(deps: TakeInventoryDeps): TakeInventory {
  return async (call, input) => {
    const { scope } = call.caller;
    const attempt = { action: 'fleet.import', resourceId: null } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const owner = resolveNamedOrg(scope, input.orgId);
    if (!owner.ok) {
      const error = toOwnerError(owner.error, scope.kind);
      return error.code === 'forbidden' ? deps.deny(call, attempt, error) : err(error);
    }
    const orgId = owner.value;
    const message = await deps.readMessage(input.document, orgId);
    if (!message.ok) return err(toDocumentError(message.error));
    if (message.value.kind !== 'inventory') {
      const fault = `is not an inventory: it is a ${message.value.kind} of an agent; agents report at /inventory`;
      return err(toDocumentError({ kind: 'faulty', faults: [fault] }));
    }
    const { inventory } = message.value;
    const reading = { orgId, siteId: null, source: 'import', inventory, now: deps.clock() } as const;
    const stored = await deps.inventoryStore.store(reading, ({ deviceId, created }) =>
      deps.makeEntry(call, { action: 'fleet.import', resourceId: deviceId, orgId, details: { created } }),
    );
    return stored.ok ? ok(stored.value) : err(REFUSALS[stored.error]);
  };
}

const REFUSALS: Readonly<Record<InventoryRefusal, ApplicationError>> = {
  ...TITLE_REFUSALS,
  'unknown-device': {
    code: 'conflict',
    detail: 'The inventory is a partial one of a device that is not known; send a full one first.',
  },
  'unknown-organization': UNKNOWN_ORGANIZATION,
  'unknown-site': invalidField('siteId', 'unknown_site', 'there is no such site in the organization'),
};

export function toDocumentError(refusal: DocumentRefusal): ApplicationError {
  switch (refusal.kind) {
    case 'too-large':
      return {
        code: 'payload_too_large',
        detail: `The document is larger than ${MAX_DOCUMENT_BYTES} bytes (32 MiB) when it is inflated.`,
      };
    case 'no-json':
      return { code: 'invalid_json', detail: `the document ${refusal.fault}` };
    case 'faulty':
      return toValidationError(refusal.faults.map(toFault));
  }
}

function toFault(fault: string): FieldError {
  const message = /^(is|has) /.test(fault) ? `the document ${fault}` : fault;
  return { path: '', code: 'invalid_document', message };
}
