/** What commands do with the database itself, behind the ports of the service. */
import { type CliService, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';

export function databaseToolsOf({ databaseTools }: Pick<CliService, 'databaseTools'>): DatabaseTools {
  if (databaseTools === null)
    throw new CommandFailed('this backend has no database that a command could work on');
  return databaseTools;
}
