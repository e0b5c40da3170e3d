/** Removes titles of software that nobody has (Contract: §13). Not limited to any tenant. */

/**
 * Removes the titles that devices have lost and that no other device of their organization has, in at most `limit`
 * organizations, and gives the number of these: less than `limit` once none is left. What other organizations have stays,
 * and so does what a load in progress may be about to use. Nothing that a caller can read changes.
 */
export type UnusedTitleRemover = (limit: number) => Promise<number>;
