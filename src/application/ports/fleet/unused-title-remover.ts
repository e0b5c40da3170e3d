/**
 * Removes software titles that no device in their organization has (Contract: §13), across tenants. Takes at most
 * `limit` organizations and returns their number: less than `limit` once none is left. Keeps titles that a load in
 * progress may use. Callers see no change.
 */
export type UnusedTitleRemover = (limit: number) => Promise<number>;
