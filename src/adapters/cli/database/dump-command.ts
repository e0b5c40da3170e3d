/** `dump FILE` (Contract: §15). */
import { access } from 'node:fs/promises';
import { Command } from 'commander';
import { type CliRuntime, type CliService, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { databaseToolsOf, withService } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findPartner } from '#adapters/cli/tenants/find-tenant.ts';
import { isShown, report } from '#adapters/cli/terminal/door.ts';
import { startProgress } from '#adapters/cli/terminal/progress.ts';
import { writeOutput } from '#adapters/cli/terminal/write-output.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import { summarizeRecords } from './summarize-records.ts';

interface DumpOptions {
  readonly withCredentials?: true;
  readonly partner?: string;
  readonly force?: true;
}

const STANDARD_OUTPUT = '-';

const READABLE_BY_OWNER = 0o600;

export function dumpCommand(runtime: CliRuntime): Command {
  return new Command('dump')
    .description('Write everything, or everything of one partner, to a file for the load command')
    .argument('<file>', `where to write; ${STANDARD_OUTPUT} is standard output`)
    .option('--with-credentials', 'include password hashes, second factors, recovery codes and keys')
    .option('--partner <id or name>', 'only data of this partner')
    .option('--force', 'replace FILE if it exists')
    .addHelpText(
      'after',
      '\nThe file is a snapshot in NDJSON; the service can keep running. FILE appears when the dump is complete.\nWithout --with-credentials, the dump contains no keys, and nobody can sign in where it is first loaded.\nA dump never contains sessions and queued mails. To back them up too, see backup-role create.',
    )
    .action(async (file: string, options: DumpOptions) => {
      if (file !== STANDARD_OUTPUT && options.force !== true && (await isThere(file))) {
        throw new CommandFailed(`${file} already exists; choose another file, or replace it with --force`);
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
        'note: SECRET_KEY is not set, so second factors are sealed with a key that is kept in this database, and no other database can read them. To move them, set SECRET_KEY, run secrets reseal, and dump again.',
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

async function writeDump(
  runtime: CliRuntime,
  file: string,
  batches: ReturnType<ReturnType<typeof databaseToolsOf>['readFleet']>,
  counts: Counts,
): Promise<void> {
  const { printRecord } = await runtime.importLoadFiles();
  const hasProgress = file !== STANDARD_OUTPUT || !isShown();
  let done = 0;
  const pieces = async function* (signal: AbortSignal) {
    const progress = hasProgress ? await startProgress(`dumping ${file}`, 'records') : null;
    try {
      for await (const records of batches) {
        signal.throwIfAborted();
        for (const { kind } of records) counts[kind] = (counts[kind] ?? 0) + 1;
        yield records.map(printRecord).join('');
        done += records.length;
        progress?.update(done);
      }
    } finally {
      progress?.stop();
    }
  };
  await writeOutput({
    file: file === STANDARD_OUTPUT ? null : file,
    mode: READABLE_BY_OWNER,
    pieces,
    done: () => `${done.toLocaleString('en')} records`,
  });
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
