/** Merges short search blocks through functions that run as the owner of the blocks (`schema/search-blocks.ts`). */
import type { Pool } from 'pg';
import { withScope } from '#adapters/postgres/bulk/with-scope.ts';
import type { SearchTidier } from '#application/ports/search/search-tidier.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';

export function makeSearchTidier(pool: Pool): SearchTidier {
  return (limit) =>
    withScope(pool, SYSTEM_SCOPE, async (client) => {
      const { rows } = await client.query<{ merged: number }>(MERGE, [limit]);
      return rows[0]?.merged ?? 0;
    });
}

const MERGE = `select greatest(
  merge_device_search_block($1), merge_script_search_block($1), merge_alert_search_block($1)) as merged`;
