/**
 * Exports through the library, discarded, against `COPY … TO STDOUT` of the same columns and order on a bare
 * connection. Both must give the same rows.
 */
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Call } from '#application/call.ts';
import type { ExportFormat } from '#domain/export/print-export.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import { fleetId } from '../fleet/fleet-id.ts';
import { type FleetPlan, SCOPE_ORGS, SCOPES, type ScopeName } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { type Goal, round, type Section } from '../report/report.ts';
import { median, timeInTurns } from '../report/statistics.ts';

const MEASURED_SCOPES = ['all', 'fifty', 'big'] as const satisfies readonly ScopeName[];

const MIB = 1_048_576;

/** The default columns of an export. */
const COLUMNS = `d.id, d.org_id, d.site_id, d.hostname, d.display_name, d.status, d.os_type, d.os_version,
  d.device_role, d.last_user, d.tags, d.last_seen_at, d.enrolled_at, d.cpu_percent, d.ram_percent, d.disk_percent,
  d.pending_patches > 0, d.critical_alerts > 0, d.reboot_required`;

interface Measured {
  readonly scope: ScopeName;
  readonly rows: number;
  /** Medians in milliseconds. */
  readonly csv: number;
  readonly ndjson: number;
  readonly copy: number;
  /** Peak memory of the process above its level before, in MiB. */
  readonly grown: number;
}

export async function measureExport(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  const bare = new Client({ connectionString: database.url });
  await bare.connect();
  // As the service does.
  await bare.query('set max_parallel_workers_per_gather = 0');
  const faults: string[] = [];
  const measured: Measured[] = [];
  try {
    for (const scope of MEASURED_SCOPES) {
      tell(`exports of ${plan.size}, scope ${scope}`);
      measured.push(await measureOne(database, bare, scope, faults));
    }
  } finally {
    await bare.end();
  }
  return {
    name: `Exports of ${plan.size} devices`,
    goals: toGoals(measured, plan),
    tables: [
      {
        title: 'medians in ms',
        columns: ['scope', 'rows', 'CSV', 'NDJSON', 'COPY', 'COPY/CSV', 'COPY/NDJSON', 'memory, MiB'],
        rows: measured.map(({ scope, rows, csv, ndjson, copy, grown }) => [
          scope,
          rows,
          ...[csv, ndjson, copy, copy / csv, copy / ndjson, grown].map(round),
        ]),
      },
    ],
    notes: [
      'CSV, NDJSON: exportDevices with the usual fields, as bytes. COPY: the same columns in the same order as CSV, by',
      'PostgreSQL itself, on one pg connection. memory: what the process grew by at most during a CSV export.',
    ],
    faults,
  };
}

async function measureOne(
  database: FleetDatabase,
  bare: Client,
  scope: (typeof MEASURED_SCOPES)[number],
  faults: string[],
): Promise<Measured> {
  const csv = await takeExport(database, scope, 'csv');
  const lines = await takeCopy(bare, scope);
  if (csv.rows !== lines) faults.push(`scope ${scope}: the export has ${csv.rows} rows, COPY ${lines}`);
  const times = await timeInTurns(
    {
      csv: () => takeExport(database, scope, 'csv'),
      ndjson: () => takeExport(database, scope, 'ndjson'),
      copy: () => takeCopy(bare, scope),
    },
    { warmUp: 1, minRounds: 5, maxRounds: 30, budgetMs: 10_000 },
  );
  return {
    scope,
    rows: csv.rows,
    csv: median(times.csv),
    ndjson: median(times.ndjson),
    copy: median(times.copy),
    grown: csv.grown,
  };
}

/** Reads everything, and samples the memory with every chunk. */
async function takeExport({ service }: FleetDatabase, scope: ScopeName, format: ExportFormat) {
  const begun = await service.exportDevices(callIn(scope), { format });
  if (!begun.ok) throw new Error(`an export was refused: ${begun.error.detail}`);
  const before = process.memoryUsage.rss();
  let most = before;
  let bytes = 0;
  for await (const piece of begun.value.pieces) {
    bytes += Buffer.from(piece).length;
    most = Math.max(most, process.memoryUsage.rss());
  }
  if (bytes === 0) throw new Error('an export has no text');
  return { rows: begun.value.rowCount(), grown: (most - before) / MIB };
}

/** Texts of this fleet have no line breaks. */
async function takeCopy(bare: Client, scope: ScopeName): Promise<number> {
  const orgIds = SCOPE_ORGS[scope].map((id) => `'${id}'`).join(',');
  const where = scope === 'all' ? 'true' : `d.org_id in (${orgIds})`;
  const query = `select ${COLUMNS} from device d where ${where} order by d.hostname_lc, d.id`;
  let lines = 0;
  for await (const chunk of bare.query(copyTo(`copy (${query}) to stdout (format csv)`))) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  }
  return lines;
}

function callIn(scope: ScopeName): Call {
  return {
    requestId: 'bench',
    ip: null,
    caller: {
      userId: fleetId('user', 0),
      credential: { kind: 'api-key', apiKeyId: fleetId('api-key', 0) },
      scope: SCOPES[scope],
      permissions: new Set(),
      isPlatformAdmin: false,
    },
  };
}

function toGoals(measured: readonly Measured[], { size }: FleetPlan): readonly Goal[] {
  const worst = Math.min(...measured.map(({ copy, csv, ndjson }) => copy / Math.max(csv, ndjson)));
  return [
    {
      name: `${size}: share of COPY's speed, exports, worst of ${2 * measured.length}`,
      value: worst,
      target: 0.5,
    },
  ];
}
