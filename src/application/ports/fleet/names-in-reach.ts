/** Finds what organizations and sites are called, for filters that name them (Contract: §11). */
import type { AccessScope } from '#domain/access/access-scope.ts';

/** What can be named in a filter text instead of its id. */
export type NamedKind = 'organization' | 'site';

/** An organization or a site. */
export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Every organization in reach, or every site of the organizations in reach, by id. */
export type NamesInReach = (scope: AccessScope, kind: NamedKind) => Promise<readonly NamedThing[]>;
