/** Converts the instant in `column` to epoch milliseconds. */
export const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/**
 * Whether every transaction that may have used earlier rules of the row `l` of `live_organization` has ended.
 * A barrier above all transaction ids comes from a restored database and is ignored.
 */
export const IS_SETTLED = `coalesce(l.barrier <= pg_snapshot_xmin(pg_current_snapshot())
  or l.barrier > pg_snapshot_xmax(pg_current_snapshot()), false)`;
