/**
 * Takes `engines` of the packages out of package-lock.json, after a new resolution: node test/scripts/drop-engines.ts.
 * npm runs on the Node of the machine, but the packages on the Node 26 that comes with them. So npm on Node 20 would
 * print a page of EBADENGINE warnings that do not apply.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LOCK = join(import.meta.dirname, '../../package-lock.json');

const lock: { readonly packages: Record<string, { engines?: unknown }> } = JSON.parse(
  readFileSync(LOCK, 'utf8'),
);
for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines;
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
