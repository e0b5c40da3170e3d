/**
 * Removes software titles that devices have lost and that no other device of their organization has (Contract: §13),
 * across tenants. Returns the number of organizations, at most `limit`; less once none is left. Titles of other
 * organizations stay, and so do titles that a load in progress may use. Nothing that a caller can read changes.
 */
export type UnusedTitleRemover = (limit: number) => Promise<number>;
