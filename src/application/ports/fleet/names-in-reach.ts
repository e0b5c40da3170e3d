import type { AccessScope } from '#domain/access/access-scope.ts';

/** Kinds that filter texts can name instead of by id. */
export type NamedKind = 'organization' | 'site' | 'filter';

/** An organization, a site or a saved filter. */
export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Organizations in reach, their sites, or saved filters in reach, by id, for filters that name them (Contract: §11). */
export type NamesInReach = (scope: AccessScope, kind: NamedKind) => Promise<readonly NamedThing[]>;
