/**
 * Stores definitions of custom fields, each of an organization or of a partner (Contract: §10). What they mean to
 * filters is read through `CustomFieldSource`.
 */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId } from '#domain/ids.ts';

/** Definitions in reach: of the organizations in reach and of their partners, and of a partner reached as a whole. */
export interface CustomFieldReader {
  /** All of them, by key in code point order, then id. */
  list(scope: AccessScope): Promise<readonly CustomFieldRecord[]>;
  /** The definition; null if there is none or it is out of reach. */
  find(scope: AccessScope, id: CustomFieldId): Promise<CustomFieldRecord | null>;
}

/** Changes to definitions within a transaction, limited to owners that its scope may change for (`mayChangeFor`). */
export interface CustomFieldWriter {
  /**
   * The definitions of an owner, by key; null if there is no such owner, or it must not be changed for. Nobody else
   * who holds them changes them before the transaction ends, and neither does a load. Rejects if somebody else keeps
   * holding them.
   */
  holdFieldsOf(owner: Owner): Promise<readonly CustomFieldRecord[] | null>;
  /** Adds a definition with a new id. Its owner is held and has no other one with its key; else this throws. */
  add(field: CustomFieldRecord): Promise<void>;
  /** Stores the new name and choices of one that is held. Throws if there is none, or its owner must not be changed for. */
  replace(field: CustomFieldRecord): Promise<void>;
  /** Removes one that is held. Throws as `replace` does. Values that devices have under its key stay as they are. */
  remove(id: CustomFieldId): Promise<void>;
}
