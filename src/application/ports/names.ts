import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditActor, AuditResourceType } from '#domain/audit/audit-entry.ts';
import type { UserId } from '#domain/ids.ts';

/** A thing that may have a name. */
export interface ThingReference {
  readonly kind: AuditResourceType | AuditActor['type'];
  readonly id: string;
}

/** Keyed by `nameKey`. */
export type Names = ReadonlyMap<string, string>;

/** A thing's key in `Names`. */
export function nameKey({ kind, id }: ThingReference): string {
  return `${kind} ${id}`;
}

/** Current names of people and things. `isWithinReach` decides which people are in reach. */
export interface NameReader {
  /**
   * Reads all names in one statement. Leaves out things that are gone, erased, nameless or out of reach. A deletion
   * request has its person's name. An API key is in reach if its user is.
   */
  namesOf(scope: AccessScope, things: readonly ThingReference[]): Promise<Names>;
  /** People in reach whose name or email contains the folded text, without erased ones, unordered. */
  findPeople(scope: AccessScope, foldedText: string): Promise<readonly UserId[]>;
}
