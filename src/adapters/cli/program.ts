/** The command line: `npm run fleetsift -- <command>` (Contract: §9). */
import { constants } from 'node:os';
import { Command } from 'commander';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { type CliRuntime, CommandFailed } from './cli-runtime.ts';
import { backupRoleCommand } from './database/backup-role-command.ts';
import { dumpCommand } from './database/dump-command.ts';
import { loadCommand } from './database/load-command.ts';
import { secretsCommand } from './database/secrets-command.ts';
import { deviceCommand } from './devices/device-command.ts';
import { enrolmentKeyCommand } from './devices/enrolment-key-command.ts';
import { exportCommand } from './devices/export-command.ts';
import { importCommand } from './devices/import-command.ts';
import { watchCommand } from './devices/watch-command.ts';
import { withService } from './open-service.ts';
import { mailCommand } from './service/mail-command.ts';
import { serveCommand, workCommand } from './service/serve-command.ts';
import { orgCommand } from './tenants/org-command.ts';
import { partnerCommand } from './tenants/partner-command.ts';
import { siteCommand } from './tenants/site-command.ts';
import { ReaderGone, toStandardOutput, watchOutput } from './terminal/write-output.ts';
import { adminCommand } from './users/admin-command.ts';
import { keyCommand } from './users/key-command.ts';
import { userCommand } from './users/user-command.ts';

/** The shell's code for a program that a broken pipe ended. */
const BROKEN_PIPE = 128 + constants.signals.SIGPIPE;

/**
 * Resolves with the exit code: 0, or 1 after an error message. Ends silently if the reader of standard output is gone,
 * as after `| head`.
 */
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
    .addCommand(watchCommand(runtime))
    .addCommand(deviceCommand(runtime))
    .addCommand(adminCommand(runtime))
    .addCommand(orgCommand(runtime))
    .addCommand(siteCommand(runtime))
    .addCommand(userCommand(runtime))
    .addCommand(keyCommand(runtime))
    .addCommand(enrolmentKeyCommand(runtime))
    .addCommand(mailCommand(runtime))
    .addCommand(secretsCommand(runtime))
    .addCommand(backupRoleCommand(runtime))
    .addCommand(partnerCommand(runtime))
    .addCommand(openApiCommand(runtime));
  program.version(runtime.version);
  prepare(program, runtime);
  const output = watchOutput();
  try {
    await program.parseAsync(args, { from: 'user' });
    await output.checkWritten();
    return 0;
  } catch (error) {
    if (error instanceof ReaderGone) return BROKEN_PIPE;
    const explained = error instanceof CommandFailed ? error.message : await runtime.explainFailure(error);
    runtime.announce('fatal', explained ?? describe(error), error);
    return 1;
  } finally {
    await output.unwatch();
  }
}

function prepare(command: Command, runtime: CliRuntime): void {
  command
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => runtime.announce('fatal', text.trimEnd()),
    })
    .showHelpAfterError('(run with --help for usage)');
  // Commander would report a misspelled required option as missing.
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.mandatory = false;
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
  });
  for (const subcommand of command.commands) prepare(subcommand, runtime);
}

/** For installations with `MIGRATE=off`. */
function migrateCommand(runtime: CliRuntime): Command {
  return new Command('migrate').description('Bring the database up to date').action(async () => {
    await withService(runtime, async () => undefined, { migrate: true });
    report('the database is up to date');
  });
}

/** Contract: §15. */
function openApiCommand({ makeOpenApiDocument }: CliRuntime): Command {
  return new Command('openapi').description('Print the OpenAPI document of the API').action(async () => {
    await toStandardOutput([`${JSON.stringify(await makeOpenApiDocument(), null, 2)}\n`]);
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `fleetsift failed: ${String(error)}`;
  const isDebug = process.env.LOG_LEVEL === 'debug' || process.env.LOG_LEVEL === 'trace';
  return isDebug && error.stack !== undefined
    ? error.stack
    : `fleetsift failed: ${error.message || error.name}`;
}
