import type { AccessScope } from '#domain/access/access-scope.ts';

/** Things that filter texts can name. */
export type NamedKind = 'organization' | 'site' | 'filter';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** By id: organizations in reach, their sites, or saved filters in reach (Contract: §11). */
export type NamesInReach = (scope: AccessScope, kind: NamedKind) => Promise<readonly NamedThing[]>;
