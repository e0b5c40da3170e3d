/**
 * Removes software titles that no device in their organization has (Contract: §13), across tenants. Cleans up at most
 * `limit` organizations and returns their number: less than `limit` once none is left. Does not remove titles that a
 * load in progress may use.
 */
export type UnusedTitleRemover = (limit: number) => Promise<number>;
