/** `migrate`: brings the database up to date, and nothing else; for setups with `MIGRATE=off`. */
import { Command } from 'commander';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { withService } from '#adapters/cli/open-service.ts';
import { report } from '#adapters/cli/terminal/progress.ts';

export function migrateCommand(runtime: CliRuntime): Command {
  return new Command('migrate').description('Bring the database up to date').action(async () => {
    await withService(runtime, async () => undefined, { migrate: true });
    report('the database is up to date');
  });
}
