/** The command line: `npm run fleetsift -- <command>` (Contract: §9). */
import { Command } from 'commander';
import { adminCommand } from './admin-command.ts';
import { type CliRuntime, CommandFailed } from './cli-runtime.ts';
import { importCommand } from './import-command.ts';
import { keyCommand } from './key-command.ts';
import { loadCommand } from './load-command.ts';
import { mailCommand } from './mail-command.ts';

/** Runs one command. Resolves with the exit code: 0, or 1 where it failed and has said why on standard error. */
export async function runProgram(runtime: CliRuntime, args: readonly string[]): Promise<number> {
  const program = new Command('fleetsift')
    .description('Find, target and search the devices of many organizations.')
    .addCommand(
      new Command('serve').description('Run the service (as npm start does)').action(() => runtime.serve()),
    )
    .addCommand(
      new Command('work')
        .description('Run the work behind the requests alone: mail and deletions (see WORKER)')
        .action(() => runtime.work()),
    )
    .addCommand(
      new Command('migrate').description('Bring the database up to date').action(() => runtime.migrate()),
    )
    .addCommand(loadCommand(runtime))
    .addCommand(importCommand(runtime))
    .addCommand(adminCommand(runtime))
    .addCommand(keyCommand(runtime))
    .addCommand(mailCommand(runtime))
    .showHelpAfterError('(run with --help for usage)');
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof CommandFailed ? error.message : describe(error)}\n`);
    return 1;
  }
}

/** An error that a command did not expect, in one line; the stack is for LOG_LEVEL=debug. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `fleetsift failed: ${String(error)}`;
  const isDebug = process.env.LOG_LEVEL === 'debug' || process.env.LOG_LEVEL === 'trace';
  return isDebug && error.stack !== undefined
    ? error.stack
    : `fleetsift failed: ${error.message || error.name}`;
}
