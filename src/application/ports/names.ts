import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditActor, AuditResourceType } from '#domain/audit/audit-entry.ts';
import type { UserId } from '#domain/ids.ts';

/** A thing that may have a name. */
export interface ThingReference {
  readonly kind: AuditResourceType | AuditActor['type'];
  readonly id: string;
}

/** Names by `nameKey`. */
export type Names = ReadonlyMap<string, string>;

/** The key of a thing in `Names`. */
export function nameKey({ kind, id }: ThingReference): string {
  return `${kind} ${id}`;
}

/** Current names of people and things. People are in reach as in `isWithinReach`. */
export interface NameReader {
  /**
   * Reads names of people, devices, filters, alerts, custom fields, keys, organizations and partners in one
   * statement. A deletion request has its person's name, and an API key is in reach if its user is. Gone, erased,
   * nameless and unreachable things are left out.
   */
  namesOf(scope: AccessScope, things: readonly ThingReference[]): Promise<Names>;
  /** People in reach, without erased ones, whose name or email contains the folded text; unordered. */
  findPeople(scope: AccessScope, foldedText: string): Promise<readonly UserId[]>;
}
