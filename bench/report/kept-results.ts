/** Results of earlier runs, as `npm run bench` keeps them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FleetSize } from '../fleet/fleet-plan.ts';
import type { MachineFacts } from './machine-facts.ts';
import type { Section } from './report.ts';

export interface KeptRun {
  /** The end, such as `2026-11-22 13:51`, in UTC. */
  readonly at: string;
  /** The requested number of devices. */
  readonly size: FleetSize;
  readonly facts: MachineFacts;
  readonly sections: readonly Section[];
}

/** Names the run of the section. */
export interface KeptSection {
  readonly section: Section;
  readonly run: KeptRun;
}

/** `2026-11-22T13-51-45-699Z-100k.json` */
const FILE_NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-.*-(10k|100k|1m)\.json$/;

/** Oldest first; empty if nothing was measured here. */
export async function readKeptRuns(directory: string): Promise<readonly KeptRun[]> {
  const files = (await readdir(directory).catch(() => [])).filter((file) => FILE_NAME.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const [, day, hour, minute, size] = FILE_NAME.exec(file) ?? [];
      const { facts, sections } = JSON.parse(await readFile(join(directory, file), 'utf8')) as Pick<
        KeptRun,
        'facts' | 'sections'
      >;
      return { at: `${day} ${hour}:${minute}`, size: size as FleetSize, facts, sections };
    }),
  );
}

/** The newest section of each name, in the order of their first measurement. */
export function newestSections(runs: readonly KeptRun[]): readonly KeptSection[] {
  const newest = new Map<string, KeptSection>();
  for (const run of runs) {
    for (const section of run.sections) newest.set(section.name, { section, run });
  }
  return [...newest.values()];
}
