/** Limits that several parts of the service share. */

/** The most faults that one refusal lists (Contract: §1). */
export const MAX_FAULTS = 100;
