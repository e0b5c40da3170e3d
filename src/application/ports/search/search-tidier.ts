/** Tidies what searches read, which many small changes leave in many small pieces. Not limited to any tenant. */

/**
 * Puts pieces together, into at most `limit` of each kind, and gives into how many: less than `limit` once nothing is
 * left to do. No search finds more or less for it, and nobody waits for it.
 */
export type SearchTidier = (limit: number) => Promise<number>;
