/** What a search may find. */
import type { Sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface SearchScope {
  /** The condition for rows of the alias. */
  readonly condition: (alias: Sql) => Sql;
  /** The organizations whose own blocks hold all that is in scope; none if only the blocks of everything do. */
  readonly organizations: readonly string[];
  /** Whether it is worth a look if only few rows are in scope, for want of such blocks. */
  readonly mayBeFew: boolean;
}
