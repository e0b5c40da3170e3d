import type { AccessScope } from '#domain/access/access-scope.ts';

/** What filter texts can name. */
export type NamedKind = 'organization' | 'site' | 'filter';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Lists organizations in reach, their sites, or saved filters in reach, by id (Contract: §11). */
export type NamesInReach = (scope: AccessScope, kind: NamedKind) => Promise<readonly NamedThing[]>;
