/** Prepares recurring statements once per connection, because planning takes longer than running them. */
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';

/** A connection keeps prepared statements in memory. Beyond this number, statements are planned each time. */
const MAX_PREPARED = 100;

const names = new Map<string, string>();

export async function runPrepared<Row extends QueryResultRow>(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult<Row>> {
  if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `bulk ${names.size}`);
  const name = names.get(text);
  return client.query<Row>({ text, values: [...values], ...(name !== undefined && { name }) });
}
