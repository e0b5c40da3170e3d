import type { AccessScope } from '#domain/access/access-scope.ts';

/** Kinds that filter texts can name instead of by id. */
export type NamedKind = 'organization' | 'site';

/** An organization or a site. */
export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Organizations in reach, or their sites, by id, for filters that name them (Contract: §11). */
export type NamesInReach = (scope: AccessScope, kind: NamedKind) => Promise<readonly NamedThing[]>;
