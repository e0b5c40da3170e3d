/**
 * Merges small search blocks into at most `limit` larger ones of each kind, across tenants. Returns how many it made:
 * less than `limit` once nothing is left. Search results do not change, and searches do not wait.
 */
export type SearchTidier = (limit: number) => Promise<number>;
