/**
 * Merges small search blocks, into at most `limit` of each kind, and returns their number: less than `limit` once
 * nothing is left. Results of searches stay the same, and nobody waits. Across tenants.
 */
export type SearchTidier = (limit: number) => Promise<number>;
