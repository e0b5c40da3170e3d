/**
 * Beside a running service, a large load has the blocks of searches made when it has written all titles
 * (`schema/search-blocks.ts`): fewer and longer ones, and by as many processes as build an
 * index. Until then nobody else sees the titles either.
 */
import type { PoolClient } from 'pg';

/** From now on, titles that are written go into no block; {@link makeLateBlocks} has to put them there. */
export async function beginLateBlocks(client: PoolClient): Promise<void> {
  await client.query('select begin_late_blocks()');
}

/**
 * Of what waits to be sorted into an inverted index. Searches read through it between the load's commit and the cleaning
 * that follows at once; four times as much is sorted in half of the time.
 */
const PENDING = '8MB';

/** Makes the blocks of all titles that were written since {@link beginLateBlocks}. */
export async function makeLateBlocks(client: PoolClient): Promise<void> {
  await client.query(`set local gin_pending_list_limit = '${PENDING}'`);
  await client.query('select end_initial_load()');
}
