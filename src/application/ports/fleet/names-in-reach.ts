import type { AccessScope } from '#domain/access/access-scope.ts';

/** Things that filter texts can name. */
export type NamedKind = 'organization' | 'site' | 'filter';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Names of organizations in reach, of their sites, or of saved filters in reach, ordered by id (Contract: §11). */
export type NamesInReach = (scope: AccessScope, kind: NamedKind) => Promise<readonly NamedThing[]>;
