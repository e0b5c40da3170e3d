/** `load FILE…`: puts whole fleets in, each file all or nothing. */
import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import type { FleetCounts, FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { type CliRuntime, CommandFailed } from './cli-runtime.ts';
import { startProgress } from './progress.ts';

export function loadCommand(runtime: CliRuntime): Command {
  return new Command('load')
    .description('Load fleets: partners, organizations, users, devices, alerts, filters and the rest')
    .argument('<file...>', 'JSON documents or NDJSON, of any size')
    .addHelpText(
      'after',
      '\nRecords are upserted by id. A file goes in as a whole or not at all; what is wrong with it is\nnamed by line and member. The service may be running meanwhile.',
    )
    .action(async (files: readonly string[]) => {
      const failed = await runtime.withBackend(async ({ fleetWriter }) => {
        const refused: string[] = [];
        for (const file of files) {
          await assertReadable(file);
          const progress = startProgress(`loading ${file}`, 'records');
          const result = await collectFaults(runtime, () =>
            fleetWriter(runtime.readLoadFile(file), progress.update),
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
  runtime: CliRuntime,
  load: () => ReturnType<Parameters<Parameters<CliRuntime['withBackend']>[0]>[0]['fleetWriter']>,
): Promise<LoadOutcome> {
  try {
    const result = await load();
    return result.ok ? { kind: 'loaded', counts: result.value } : { kind: 'refused', faults: result.error };
  } catch (error) {
    const faults = runtime.loadFileFaults(error);
    if (faults === null) throw error;
    return { kind: 'refused', faults };
  }
}

async function assertReadable(file: string): Promise<void> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) throw new CommandFailed(`${file}: there is no such file`);
  if (stats.isDirectory()) throw new CommandFailed(`${file}: is a directory, not a file`);
}

function summarize(counts: FleetCounts): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const [one, many] = NOUNS[kind as keyof FleetCounts];
      return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
    });
  return parts.length === 0 ? 'nothing (the file holds no records)' : parts.join(', ');
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
