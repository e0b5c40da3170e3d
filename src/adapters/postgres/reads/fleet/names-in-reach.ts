/** The names of organizations and sites on PostgreSQL. */
import { lookUp } from '#adapters/postgres/reads/running/look-up.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { NamedThing, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';

export function makeNamesInReach(reader: ScopedReader): NamesInReach {
  return (scope, kind) => lookUp<NamedThing>(reader, scope, ScopedStatement.names(scope, kind));
}
