/** The command line: `npm run fleetsift -- <command>` (Contract: §9). */
import { Command } from 'commander';
import { adminCommand } from './admin-command.ts';
import { backupRoleCommand } from './backup-role-command.ts';
import { type CliRuntime, CommandFailed } from './cli-runtime.ts';
import { dumpCommand } from './dump-command.ts';
import { enrolmentKeyCommand } from './enrolment-key-command.ts';
import { exportCommand } from './export-command.ts';
import { importCommand } from './import-command.ts';
import { keyCommand } from './key-command.ts';
import { loadCommand } from './load-command.ts';
import { mailCommand } from './mail-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { openApiCommand } from './openapi-command.ts';
import { orgCommand } from './org-command.ts';
import { report } from './report.ts';
import { secretsCommand } from './secrets-command.ts';
import { serveCommand, workCommand } from './serve-command.ts';
import { userCommand } from './user-command.ts';

/** Runs one command. Returns the exit code: 0, or 1 if it failed and has said why on standard error. */
export async function runProgram(runtime: CliRuntime, args: readonly string[]): Promise<number> {
  const program = new Command('fleetsift')
    .description('Find, target and search the devices of many organizations.')
    .addCommand(serveCommand(runtime))
    .addCommand(workCommand(runtime))
    .addCommand(migrateCommand(runtime))
    .addCommand(loadCommand(runtime))
    .addCommand(dumpCommand(runtime))
    .addCommand(importCommand(runtime))
    .addCommand(exportCommand(runtime))
    .addCommand(adminCommand(runtime))
    .addCommand(orgCommand(runtime))
    .addCommand(userCommand(runtime))
    .addCommand(keyCommand(runtime))
    .addCommand(enrolmentKeyCommand(runtime))
    .addCommand(mailCommand(runtime))
    .addCommand(secretsCommand(runtime))
    .addCommand(backupRoleCommand(runtime))
    .addCommand(openApiCommand(runtime))
    .showHelpAfterError('(run with --help for usage)');
  program.version(runtime.version);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    report(error instanceof CommandFailed ? error.message : describe(error));
    return 1;
  }
}

/** An unexpected error in one line; with LOG_LEVEL=debug, its stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `fleetsift failed: ${String(error)}`;
  const isDebug = process.env.LOG_LEVEL === 'debug' || process.env.LOG_LEVEL === 'trace';
  return isDebug && error.stack !== undefined
    ? error.stack
    : `fleetsift failed: ${error.message || error.name}`;
}
