/** `load FILE…`: loads whole fleets, each file all or nothing. */
import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import type { FleetCounts, FleetFault, FleetWriter } from '#application/ports/fleet/fleet-writer.ts';
import { type CliRuntime, CommandFailed, type LoadFiles } from './cli-runtime.ts';
import { withBackend } from './open-service.ts';
import { startProgress } from './progress.ts';
import { systemEntry } from './system-entry.ts';

export function loadCommand(runtime: CliRuntime): Command {
  return new Command('load')
    .description('Load fleets: partners, organizations, users, devices, alerts, saved filters and more')
    .argument('<file...>', 'JSON or NDJSON files of any size')
    .addHelpText(
      'after',
      '\nRecords are upserted by id. Each file is loaded completely or not at all; errors are reported with\nline and member. The service can keep running meanwhile.',
    )
    .action(async (files: readonly string[]) => {
      const loadFiles = await runtime.importLoadFiles();
      const failed = await withBackend(runtime, async ({ fleetWriter }) => {
        const refused: string[] = [];
        for (const file of files) {
          await assertReadable(file);
          const progress = await startProgress(`loading ${file}`, 'records');
          const result = await collectFaults(loadFiles, () =>
            fleetWriter(loadFiles.readLoadFile(file), progress.update, (counts) =>
              systemEntry(runtime, { action: 'fleet.load', command: 'load', details: written(counts) }),
            ),
          );
          progress.stop();
          if (result.kind === 'loaded') {
            process.stdout.write(`${file}: loaded ${summarize(result.counts)}\n`);
          } else {
            refused.push(file);
            process.stderr.write(`${file}: nothing was loaded\n${result.faults.map(toLine).join('')}`);
          }
        }
        return refused;
      });
      if (failed.length > 0) throw new CommandFailed(`refused: ${failed.join(', ')}`);
    });
}

type LoadOutcome =
  | { readonly kind: 'loaded'; readonly counts: FleetCounts }
  | { readonly kind: 'refused'; readonly faults: readonly FleetFault[] };

async function collectFaults(
  { LoadFileError }: LoadFiles,
  load: () => ReturnType<FleetWriter>,
): Promise<LoadOutcome> {
  try {
    const result = await load();
    return result.ok ? { kind: 'loaded', counts: result.value } : { kind: 'refused', faults: result.error };
  } catch (error) {
    if (!(error instanceof LoadFileError)) throw error;
    return { kind: 'refused', faults: error.faults };
  }
}

async function assertReadable(file: string): Promise<void> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) throw new CommandFailed(`${file}: no such file`);
  if (stats.isDirectory()) throw new CommandFailed(`${file}: is a directory, not a file`);
}

/** What was loaded, for the record: counts alone, as the name of a file may hold anything. */
function written(counts: FleetCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function summarize(counts: FleetCounts): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const [one, many] = NOUNS[kind as keyof FleetCounts];
      return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
    });
  return parts.length === 0 ? 'nothing (the file contains no records)' : parts.join(', ');
}

const NOUNS: Readonly<Record<keyof FleetCounts, readonly [one: string, many: string]>> = {
  partner: ['partner', 'partners'],
  organization: ['organization', 'organizations'],
  site: ['site', 'sites'],
  user: ['user', 'users'],
  apiKey: ['API key', 'API keys'],
  customField: ['custom field', 'custom fields'],
  device: ['device', 'devices'],
  script: ['script', 'scripts'],
  alert: ['alert', 'alerts'],
  filter: ['filter', 'filters'],
};

function toLine({ line, member, message }: FleetFault): string {
  return `  line ${line}: ${member}: ${message}\n`;
}
