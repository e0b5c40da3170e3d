/**
 * Merges small search blocks into at most `limit` of each kind, across tenants. Returns their number: less than
 * `limit` once nothing is left. Search results stay the same, and searches do not wait.
 */
export type SearchTidier = (limit: number) => Promise<number>;
