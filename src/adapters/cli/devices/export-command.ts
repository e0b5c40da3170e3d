/** `export` follows the rules of `POST /devices/export`. */
import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { explainError, operatorCall } from '#adapters/cli/operator-call.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findFilter, findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { isShown, report } from '#adapters/cli/terminal/door.ts';
import { startProgress } from '#adapters/cli/terminal/progress.ts';
import { writeOutput } from '#adapters/cli/terminal/write-output.ts';
import type { Backend } from '#application/backend.ts';
import type { ExportDevices, ExportInput } from '#application/devices/export-devices.ts';

interface ExportOptions {
  readonly org?: string;
  readonly query?: string;
  readonly conditions?: string;
  readonly ndjson?: boolean;
  readonly fields?: string;
  readonly output?: string;
}

export function exportCommand(runtime: CliRuntime): Command {
  return new Command('export')
    .description('Export devices as CSV or NDJSON')
    .argument('[filter]', 'only devices that this saved filter matches, by id or name')
    .option('--org <org>', 'only devices of this organization, by id or name (default: all)')
    .option('--query <text>', 'only devices that match a filter such as "status:online tags:vip seen:<7d"')
    .option('--conditions <file>', 'only devices that match the conditions in this JSON file')
    .addOption(new Option('--csv', 'as CSV (default)').conflicts('ndjson'))
    .option('--ndjson', 'as NDJSON: one JSON object per line')
    .option('--fields <list>', 'comma-separated fields, such as hostname,organization,custom.rack')
    .option('--output <file>', 'where to write (default: standard output)')
    .addHelpText(
      'after',
      '\nThe export is a snapshot, ordered by host name. FILE is replaced when the export is complete;\nif it fails or is interrupted, FILE stays unchanged.',
    )
    .action(async (filter: string | undefined, options: ExportOptions) => {
      if ([filter, options.query, options.conditions].filter((option) => option !== undefined).length > 1) {
        throw new CommandFailed('pass at most one of FILTER, --query and --conditions');
      }
      const input = await toInput(options);
      const exportFound = async (backend: Backend) => {
        const { org } = options;
        const orgId = org === undefined ? undefined : await findOrganization(backend, org);
        await exportTo(runtime, backend, options, {
          ...input,
          ...(orgId !== undefined && { orgId }),
          ...(filter !== undefined && { filterId: await findFilter(backend, orgId, filter) }),
        });
      };
      await withBackend(runtime, exportFound);
    });
}

async function toInput({ query, conditions, ndjson, fields }: ExportOptions): Promise<ExportInput> {
  return {
    format: ndjson === true ? 'ndjson' : 'csv',
    ...(query !== undefined && { q: query }),
    ...(conditions !== undefined && { conditions: await readConditions(conditions) }),
    ...(fields !== undefined && { fields: fields.split(',').map((field) => field.trim()) }),
  };
}

/** Reads conditions from a file, which may also hold a whole request body. */
async function readConditions(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${file} cannot be read (${error.code})`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new CommandFailed(`${file} is not JSON`);
  }
  if (typeof json !== 'object' || json === null || 'operator' in json) return json;
  return 'conditions' in json ? json.conditions : json;
}

async function exportTo(
  runtime: CliRuntime,
  backend: Backend,
  { output, query }: Pick<ExportOptions, 'output' | 'query'>,
  input: ExportInput,
): Promise<void> {
  const hasProgress = output !== undefined || !isShown();
  let rowCount = () => 0;
  // A generator, so the export starts only when the output can be written.
  const pieces = async function* (signal: AbortSignal) {
    const exportDevices = await makeOperatorExport(runtime, backend);
    const begun = await exportDevices(operatorCall(runtime, signal), input);
    if (!begun.ok) throw new CommandFailed(explainError(begun.error, OPTIONS, query));
    rowCount = begun.value.rowCount;
    const progress = hasProgress
      ? await startProgress(`exporting${output === undefined ? '' : ` ${output}`}`, 'devices')
      : null;
    try {
      for await (const piece of begun.value.pieces) {
        yield piece;
        progress?.update(rowCount());
      }
    } finally {
      progress?.stop();
    }
  };
  const done = () => {
    const count = rowCount();
    return `${count.toLocaleString('en')} ${count === 1 ? 'device' : 'devices'}`;
  };
  await writeOutput({ file: output ?? null, pieces, done });
  report(`exported ${done()}${output === undefined ? '' : ` to ${output}`}`);
}

async function makeOperatorExport(runtime: CliRuntime, backend: Backend): Promise<ExportDevices> {
  const { makeDeviceExport } = await import('#application/devices/run-export.ts');
  const tell = (_facts: object, message: string) => report(message);
  return makeDeviceExport({
    ...backend,
    clock: runtime.clock,
    newId: runtime.newId,
    log: { debug: () => undefined, info: () => undefined, warn: tell, error: tell },
    makeEntry: (_call, facts) => systemEntry(runtime, { ...facts, command: 'export' }),
  });
}

const OPTIONS: Readonly<Record<string, string>> = {
  orgId: '--org',
  filterId: 'FILTER',
  q: '--query',
  conditions: '--conditions',
  fields: '--fields',
};
