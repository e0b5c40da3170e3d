import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoadFileError } from '#adapters/load/fault-list.ts';
import { readLoadFile } from '#adapters/load/read-load-file.ts';
import type { FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';

export interface Reading {
  readonly records: readonly LocatedRecord[];
  readonly faults: readonly FleetFault[];
}

/** Calls `use` with the path of a temporary file. */
export async function withFile<T>(
  content: string | Uint8Array,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'load-file-'));
  try {
    const path = join(folder, 'fleet');
    await writeFile(path, content);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The records that the source yields, and the faults that end it. */
export async function readAll(source: AsyncIterable<LocatedRecord>): Promise<Reading> {
  const records: LocatedRecord[] = [];
  const faults = await (async () => {
    for await (const record of source) records.push(record);
    return [];
  })().catch((error: unknown) => {
    if (error instanceof LoadFileError) return error.faults;
    throw error;
  });
  return { records, faults };
}

export function readText(content: string | Uint8Array): Promise<Reading> {
  return withFile(content, (path) => readAll(readLoadFile(path)));
}

export async function faultsOf(content: string | Uint8Array): Promise<readonly FleetFault[]> {
  return (await readText(content)).faults;
}

/** A document with this record alone. */
export async function readOne(collection: string, members: object): Promise<Reading> {
  return readText(JSON.stringify({ [collection]: [members] }));
}
