/**
 * Merges small search blocks into at most `limit` larger ones of each kind, across tenants. Returns the
 * largest number made of any kind: less than `limit` once nothing is left. Search results stay the same, and
 * searches do not wait.
 */
export type SearchTidier = (limit: number) => Promise<number>;
