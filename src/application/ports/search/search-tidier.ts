/**
 * Merges small search blocks into at most `limit` larger ones of each kind, across tenants. Returns the number
 * of larger blocks of the kind with the most: less than `limit` once nothing is left. Search results stay the
 * same, and searches do not wait.
 */
export type SearchTidier = (limit: number) => Promise<number>;
