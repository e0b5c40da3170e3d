/** The names of organizations and sites on PostgreSQL. */
import type { NamedThing, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import { lookUp } from './look-up.ts';
import type { ScopedReader } from './scoped-reader.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';

export function makeNamesInReach(reader: ScopedReader): NamesInReach {
  return (scope, kind) => lookUp<NamedThing>(reader, scope, ScopedStatement.names(scope, kind));
}
