/** Dumps a database to text, and loads the text. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printRecord } from '#adapters/load/print-record.ts';
import { readLoadFile } from '#adapters/load/read-load-file.ts';
import type { PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { FleetReading } from '#application/ports/fleet/fleet-reader.ts';

/** A hash that a load accepts, of no particular password. */
export const ANY_HASH =
  '$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g';

const EVERYTHING: FleetReading = { withCredentials: true, partnerId: null };

/** Dumps everything with credentials, unless `reading` says otherwise. */
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

/** Loads a dump. */
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
