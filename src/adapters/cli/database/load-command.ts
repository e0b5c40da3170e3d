/** `load FILE…`: each file is loaded completely or not at all. */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed, type LoadFiles } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { onStopSignal } from '#adapters/cli/service/stop-signals.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { findObstacle } from '#adapters/cli/terminal/find-obstacle.ts';
import { startProgress } from '#adapters/cli/terminal/progress.ts';
import type { Backend } from '#application/backend.ts';
import type { FleetCounts, FleetFault, FleetWriter } from '#application/ports/fleet/fleet-writer.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { visibleName } from '#domain/text/visible-text.ts';
import { summarizeRecords } from './summarize-records.ts';

const STANDARD_INPUT = '-';

const FORMAT = `A file is one JSON document whose members are arrays:

  {"partners": [{"id": "0194d000-0000-7000-8000-000000000001", "name": "Northwind MSP"}],
   "organizations": [{"id": "0194d000-0000-7000-8000-000000000010",
     "partnerId": "0194d000-0000-7000-8000-000000000001", "name": "Globex"}],
   "devices": [{"id": "0194d000-0000-7000-8000-000000000050",
     "orgId": "0194d000-0000-7000-8000-000000000010", "hostname": "globex-ws-01", "status": "online"}]}

or NDJSON with one record per line, whose kind is the member's name in the singular:

  {"kind": "site", "id": "…", "orgId": "…", "name": "Head office"}

Members are partners, organizations, sites, users, apiKeys, customFields, devices, scripts, alerts and filters.
docs/loading.md describes them; docs/example-fleet.json is an example.`;

export function loadCommand(runtime: CliRuntime): Command {
  return new Command('load')
    .description('Load fleets: partners, organizations, users, devices, alerts, saved filters and more')
    .argument('<file...>', `JSON or NDJSON files of any size; ${STANDARD_INPUT} is standard input`)
    .option(
      '--allow-moves',
      'let devices move to another organization with their history (default: refuse the file)',
    )
    .option('--check', 'report what would be loaded or refused, and load nothing')
    .addHelpText(
      'after',
      `\nRecords are upserted by id. Each file is loaded completely or not at all; errors are reported with\nline and member. The service can keep running.\n\n${FORMAT}`,
    )
    .action(async (files: readonly string[], { allowMoves = false, check: isCheck = false }: LoadOptions) => {
      const loadFiles = await runtime.importLoadFiles();
      const interruption = new AbortController();
      const interrupt = () => {
        report('interrupted: a file that was completely read is still loaded, but no others');
        interruption.abort();
      };
      const context = { runtime, loadFiles, signal: interruption.signal, allowMoves, isCheck };
      const unhear = onStopSignal(interrupt);
      try {
        const left = await withBackend(runtime, (backend) =>
          loadEach({ ...context, fleetWriter: backend.fleetWriter }, files),
        );
        if (left.length > 0) throw new CommandFailed(`not loaded: ${left.map(visibleName).join(', ')}`);
      } finally {
        unhear();
      }
    });
}

interface LoadOptions {
  readonly allowMoves?: boolean;
  readonly check?: boolean;
}

interface Loading extends Pick<Backend, 'fleetWriter'> {
  readonly runtime: CliRuntime;
  readonly loadFiles: LoadFiles;
  readonly signal: AbortSignal;
  readonly allowMoves: boolean;
  readonly isCheck: boolean;
}

async function loadEach(
  { runtime, loadFiles, fleetWriter, signal, allowMoves, isCheck }: Loading,
  files: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const file of files) {
    const obstacle = signal.aborted ? 'not read' : await obstacleTo(file);
    const outcome: LoadOutcome =
      obstacle === null ? await loadOne(file) : { kind: 'refused', why: obstacle, faults: [] };
    if (outcome.kind === 'loaded') {
      print(`${visibleName(file)}: ${isCheck ? 'would load' : 'loaded'} ${summarize(outcome)}`);
      continue;
    }
    left.push(file);
    const { why, faults } = outcome;
    report([`${visibleName(file)}: ${why}`, ...faults.map(toLine), ...moreFaults(faults)].join('\n'));
  }
  return left;

  async function loadOne(file: string): Promise<LoadOutcome> {
    const progress = await startProgress(`loading ${file}`, 'records');
    let read = 0;
    try {
      const source = untilAborted(
        loadFiles.readLoadFile(file === STANDARD_INPUT ? process.stdin : file),
        signal,
        () => read++,
      );
      const outcome = await collectFaults(loadFiles, signal, () =>
        fleetWriter(
          source,
          progress.update,
          (counts, moved) => {
            // Throwing rolls back the load's transaction.
            if (isCheck) throw new Checked(counts);
            const details = { ...written(counts), ...(moved > 0 && { movedDevices: moved }) };
            return systemEntry(runtime, { action: 'fleet.load', command: 'load', details });
          },
          { allowMoves },
        ),
      );
      return outcome.kind === 'loaded' ? { ...outcome, read } : outcome;
    } finally {
      progress.stop();
    }
  }
}

async function obstacleTo(file: string): Promise<string | null> {
  return file === STANDARD_INPUT ? null : findObstacle(file);
}

/**
 * Throws once `signal` is aborted, even at the end of `source`: Ctrl-C also stops a program that writes to
 * the pipe, so its last lines may be missing.
 */
async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  onItem: () => void,
): AsyncGenerator<T, void> {
  for await (const item of source) {
    signal.throwIfAborted();
    onItem();
    yield item;
  }
  signal.throwIfAborted();
}

class Checked extends Error {
  readonly counts: FleetCounts;

  constructor(counts: FleetCounts) {
    super('only checked');
    this.counts = counts;
  }
}

interface Loaded {
  readonly kind: 'loaded';
  readonly counts: FleetCounts;
}

interface Refused {
  readonly kind: 'refused';
  readonly why: string;
  readonly faults: readonly FleetFault[];
}

/** `read` also counts the records that are left out. */
type LoadOutcome = (Loaded & { readonly read: number }) | Refused;

async function collectFaults(
  { LoadFileError }: LoadFiles,
  signal: AbortSignal,
  load: () => ReturnType<FleetWriter>,
): Promise<Loaded | Refused> {
  const why = 'nothing was loaded';
  try {
    const result = await load();
    return result.ok
      ? { kind: 'loaded', counts: result.value }
      : { kind: 'refused', why, faults: result.error };
  } catch (error) {
    if (error instanceof Checked) return { kind: 'loaded', counts: error.counts };
    if (error === signal.reason) return { kind: 'refused', why, faults: [] };
    if (!(error instanceof LoadFileError)) throw error;
    return { kind: 'refused', why, faults: error.faults };
  }
}

/** Returns the details of the audit entry. The file name is left out, because it may contain anything. */
function written(counts: FleetCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Only records of erased people are left out (docs/loading.md). */
function summarize({ counts, read }: Extract<LoadOutcome, { kind: 'loaded' }>): string {
  const words = summarizeRecords(counts);
  if (read === 0) return `${words} (the file contains no records)`;
  const leftOut = read - Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (leftOut === 0) return words;
  const records = leftOut === 1 ? 'record' : 'records';
  return `${words} (left out ${leftOut.toLocaleString('en')} ${records} of people whose accounts were erased)`;
}

/** The checks stop at `MAX_FAULTS`. */
function moreFaults({ length }: readonly FleetFault[]): readonly string[] {
  return length < MAX_FAULTS ? [] : [`  only the first ${MAX_FAULTS} are listed; there may be more`];
}

function toLine({ line, member, message }: FleetFault): string {
  return `  line ${line}: ${visibleName(`${member}: ${message}`)}`;
}
