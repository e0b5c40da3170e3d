/** Dumps as text, and back. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printRecord } from '#adapters/load/print-record.ts';
import { readLoadFile } from '#adapters/load/read-load-file.ts';
import type { PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { FleetReading } from '#application/ports/fleet/fleet-reader.ts';

const EVERYTHING: FleetReading = { withCredentials: true, partnerId: null };

/** Everything with credentials, unless said otherwise. */
export async function dump(
  { databaseTools }: Pick<PostgresBackend, 'databaseTools'>,
  reading: Partial<FleetReading> = {},
): Promise<string> {
  const lines: string[] = [];
  for await (const records of databaseTools.readFleet({ ...EVERYTHING, ...reading })) {
    lines.push(...records.map(printRecord));
  }
  return lines.join('');
}

/** What the load says of a dump. */
export async function loadDump(
  { fleetWriter }: Pick<PostgresBackend, 'fleetWriter'>,
  text: string,
): ReturnType<PostgresBackend['fleetWriter']> {
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-dump-'));
  try {
    const path = join(directory, 'dump.ndjson');
    await writeFile(path, text);
    return await fleetWriter(readLoadFile(path));
  } finally {
    await rm(directory, { recursive: true });
  }
}
