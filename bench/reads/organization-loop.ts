/** Asks each organization in turn, in one transaction: one count and one page each. */
import type { Client } from 'pg';
import type { OrgId } from '#domain/ids.ts';
import type { PreviewFilter } from './preview-filters.ts';

export interface LoopAnswer {
  readonly total: number;
  /** In order. */
  readonly ids: readonly string[];
}

/** Our tables with their indexes, or those in `plain-tables.ts`. */
export type LoopTables = 'own' | 'plain';

const DEVICES: Readonly<Record<LoopTables, string>> = { own: 'device', plain: 'plain.device' };

/** Values are bound. Each statement is planned again; counts and pages are merged here. */
export async function previewByLoop(
  client: Client,
  tables: LoopTables,
  orgIds: readonly OrgId[],
  { byHand }: PreviewFilter,
  limit: number,
): Promise<LoopAnswer> {
  const devices = `from ${DEVICES[tables]} d where d.org_id = $1 and ${byHand[tables]}`;
  const count = `select count(*)::int as total ${devices}`;
  const page = `select d.id, d.hostname, d.display_name, d.os_type, d.status, d.last_seen_at, d.hostname_lc
                ${devices} order by d.hostname_lc, d.id limit ${limit}`;
  let total = 0;
  const found: { readonly id: string; readonly hostname_lc: string }[] = [];
  await client.query('begin transaction isolation level repeatable read read only');
  for (const orgId of orgIds) {
    const parameters = [orgId, ...byHand.values];
    total += (await client.query<{ total: number }>(count, parameters)).rows[0]?.total ?? 0;
    found.push(...(await client.query(page, parameters)).rows);
  }
  await client.query('commit');
  found.sort((a, b) => compare(a.hostname_lc, b.hostname_lc) || compare(a.id, b.id));
  return { total, ids: found.slice(0, limit).map(({ id }) => id) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
