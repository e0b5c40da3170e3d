/** `dump FILE`: writes the load format, which `load` reads back to the same state (Contract: §15). */
import { access } from 'node:fs/promises';
import { Command } from 'commander';
import { type CliRuntime, type CliService, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withService } from '#adapters/cli/open-service.ts';
import { onStopSignal } from '#adapters/cli/service/stop-signals.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findPartner } from '#adapters/cli/tenants/find-tenant.ts';
import { report, startProgress } from '#adapters/cli/terminal/progress.ts';
import { toFile, toStandardOutput } from '#adapters/cli/terminal/write-output.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import { databaseToolsOf } from './database-tools.ts';
import { summarizeRecords } from './summarize-records.ts';

interface DumpOptions {
  readonly withCredentials?: true;
  readonly partner?: string;
  readonly force?: true;
}

const STANDARD_OUTPUT = '-';

/** A dump is everybody's data. */
const READABLE_BY_OWNER = 0o600;

export function dumpCommand(runtime: CliRuntime): Command {
  return new Command('dump')
    .description('Write everything, or one partner with everything of theirs, to a file that load reads')
    .argument('<file>', `where to write; ${STANDARD_OUTPUT} is standard output`)
    .option('--with-credentials', 'also password hashes, second factors, recovery codes and keys')
    .option('--partner <id or name>', 'only what belongs to this partner')
    .option('--force', 'replace FILE if there is one')
    .addHelpText(
      'after',
      '\nThe file is NDJSON as of one moment, and the service can keep running meanwhile. FILE is there when the dump\nis whole. Without --with-credentials nobody can sign in where it is loaded first, and there are no keys.\nSessions and mails that wait are in no dump; pg_dump with the role of backup-role create has those as well.',
    )
    .action(async (file: string, options: DumpOptions) => {
      if (file !== STANDARD_OUTPUT && options.force !== true && (await isThere(file))) {
        throw new CommandFailed(`${file} exists already; name another file, or replace it with --force`);
      }
      const counts = await dumpTo(runtime, file, options);
      report(`dumped ${summarizeRecords(counts)}${file === STANDARD_OUTPUT ? '' : ` to ${file}`}`);
    });
}

type Counts = Partial<Record<FleetRecord['kind'], number>>;

function dumpTo(runtime: CliRuntime, file: string, options: DumpOptions): Promise<Counts> {
  const { withCredentials = false, partner } = options;
  const readAndWrite = async (service: CliService) => {
    const { readFleet } = databaseToolsOf(service);
    const partnerId = partner === undefined ? null : await findPartner(service.backend, partner);
    if (withCredentials && runtime.config.secretKey === null) {
      report(
        'note: SECRET_KEY is not set, so the second factors are sealed with a key that this database keeps: no other database can read them. To move them, set SECRET_KEY, run secrets reseal, and dump again.',
      );
    }
    const counts: Counts = {};
    await writeDump(runtime, file, readFleet({ withCredentials, partnerId }), counts);
    await service.backend.auditLog(
      systemEntry(runtime, {
        action: 'fleet.dump',
        command: 'dump',
        partnerId,
        details: { withCredentials, ...counts },
      }),
    );
    return counts;
  };
  return withService(runtime, readAndWrite);
}

/** Counts as it goes. */
async function writeDump(
  runtime: CliRuntime,
  file: string,
  batches: ReturnType<ReturnType<typeof databaseToolsOf>['readFleet']>,
  counts: Counts,
): Promise<void> {
  const { printRecord } = await runtime.importLoadFiles();
  const interruption = new AbortController();
  const unhear = onStopSignal(() => interruption.abort());
  const isShown = file !== STANDARD_OUTPUT || !process.stdout.isTTY;
  const progress = isShown ? await startProgress(`dumping ${file}`, 'records') : null;
  let done = 0;
  const pieces = async function* () {
    for await (const records of batches) {
      interruption.signal.throwIfAborted();
      for (const { kind } of records) counts[kind] = (counts[kind] ?? 0) + 1;
      yield records.map(printRecord).join('');
      done += records.length;
      progress?.update(done);
    }
  };
  try {
    const write = file === STANDARD_OUTPUT ? toStandardOutput : toFile(file, READABLE_BY_OWNER);
    await write(pieces());
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    const why = interruption.signal.aborted ? 'interrupted' : `failed (${messageOf(error)})`;
    const left = file === STANDARD_OUTPUT ? 'what was written is not whole' : `${file} was not written`;
    throw new CommandFailed(`${why} after ${done.toLocaleString('en')} records; ${left}`);
  } finally {
    progress?.stop();
    unhear();
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
