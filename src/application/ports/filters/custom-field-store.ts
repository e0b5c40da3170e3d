/** Stores definitions of custom fields (Contract: §10). Filters read them through `CustomFieldSource`. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId } from '#domain/ids.ts';

/**
 * Reads the custom fields of the organizations in reach, of their partners, and of a partner that is wholly in reach.
 */
export interface CustomFieldReader {
  /** By key in code point order, then id. */
  list(scope: AccessScope): Promise<readonly CustomFieldRecord[]>;
  /** Null if unknown or out of reach. */
  find(scope: AccessScope, id: CustomFieldId): Promise<CustomFieldRecord | null>;
}

/** Works within a transaction, limited to owners that its scope may change (`mayChangeFor`). */
export interface CustomFieldWriter {
  /**
   * An owner's definitions by key, locked against other writers and loads until the transaction ends. Null if the owner
   * is unknown or the scope may not change it. Rejects if another transaction keeps the lock. Callers lock before they
   * change a definition, so that the limits hold.
   */
  holdFieldsOf(owner: Owner): Promise<readonly CustomFieldRecord[] | null>;
  /** Throws if the owner is unknown, or has this key already, or the scope may not change it. */
  add(field: CustomFieldRecord): Promise<void>;
  /** Stores name and choices. Throws if the definition is unknown or the scope may not change it. */
  replace(field: CustomFieldRecord): Promise<void>;
  /** Removes a definition, but not the values stored for it. Throws as `replace` does. */
  remove(id: CustomFieldId): Promise<void>;
}
