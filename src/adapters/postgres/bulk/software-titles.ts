/** The ids of software titles, made where a name is new. Titles are common to all tenants and never removed. */
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { foldCase } from '#domain/text/fold-case.ts';

export type ResolveTitleIds = (names: ReadonlySet<string>) => Promise<ReadonlyMap<string, number>>;

const REMEMBERED_TITLES = 500_000;

/**
 * New titles are committed on their own, before whatever uses them: inside a long load they would hold up every
 * inventory that names one of them. A title that nobody has in the end does no harm.
 */
export function makeResolveTitleIds(pool: Pool): ResolveTitleIds {
  const known = new LRUCache<string, number>({ max: REMEMBERED_TITLES });
  return async (names) => {
    const ids = new Map<string, number>();
    const missing: string[] = [];
    for (const name of names) {
      const id = known.get(name);
      if (id === undefined) missing.push(name);
      else ids.set(name, id);
    }
    if (missing.length === 0) return ids;
    const client = await pool.connect();
    try {
      await client.query('begin');
      // Whoever uses them commits later, and then these are on disk as well.
      await client.query('set local synchronous_commit = off');
      await client.query(`select set_config('app.scope', 'system', true)`);
      await client.query(
        `insert into software_title (name, name_lc)
         select name, name_lc from unnest($1::text[], $2::text[]) as t(name, name_lc)
         where not exists (select 1 from software_title s where s.name = t.name collate "C")
         order by name on conflict (name) do nothing`,
        [missing, missing.map(foldCase)],
      );
      await client.query('commit');
      await client.query('begin');
      await client.query(`select set_config('app.scope', 'system', true)`);
      const { rows } = await client.query<{ id: number; name: string }>(
        'select id, name from software_title where name = any($1)',
        [missing],
      );
      await client.query('commit');
      for (const { id, name } of rows) {
        known.set(name, id);
        ids.set(name, id);
      }
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
    return ids;
  };
}
