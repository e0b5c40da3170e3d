/** Limits that several parts of the service share. */

/** The most faults that one refusal lists (Contract: §1). */
export const MAX_FAULTS = 100;

/** The most saved filters that an organization holds (Contract: §5). */
export const MAX_FILTERS_PER_ORGANIZATION = 1_000;

/** The most bytes of conditions that its filters have in all, as JSON text in UTF-8: 64 MiB (Contract: §5). */
export const MAX_CONDITION_BYTES_PER_ORGANIZATION = 64 * 1_048_576;
