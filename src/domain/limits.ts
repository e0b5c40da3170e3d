/** Limits that several parts of the service share. */

/** The most faults that one refusal lists (Contract: §1). */
export const MAX_FAULTS = 100;

/**
 * The most conditions that a filter text stands for, so that its answer stays in proportion to it: a word without a key
 * stands for three. A megabyte of anything else has fewer.
 */
export const MAX_CONDITIONS_OF_TEXT = 200_000;

/** The most saved filters that an organization holds (Contract: §5). */
export const MAX_FILTERS_PER_ORGANIZATION = 1_000;

/** The most custom fields that an organization, or a partner for all of its organizations, defines (Contract: §10). */
export const MAX_CUSTOM_FIELDS_PER_OWNER = 500;

/** The most bytes that their keys, names and choices have in all, in UTF-8: 256 KiB. Filters read all of them. */
export const MAX_CUSTOM_FIELD_BYTES_PER_OWNER = 256 * 1_024;

/** The most bytes of conditions that its filters have in all, as JSON text in UTF-8: 64 MiB (Contract: §5). */
export const MAX_CONDITION_BYTES_PER_ORGANIZATION = 64 * 1_048_576;

/** How long an evaluation may take unless it is set (Contract: §4, FILTER_TIMEOUT_MS). In milliseconds. */
export const DEFAULT_FILTER_TIMEOUT_MS = 2_000;

/** How long a search may take unless it is set (Contract: §6, SEARCH_TIMEOUT_MS). In milliseconds. */
export const DEFAULT_SEARCH_TIMEOUT_MS = 1_000;

/** The most titles of software that an organization has (Contract: §13). */
export const MAX_TITLES_PER_ORGANIZATION = 200_000;

/** The most bytes that their names have in all, in UTF-8: 32 MiB (Contract: §13). */
export const MAX_TITLE_BYTES_PER_ORGANIZATION = 32 * 1_048_576;

/** The most characters that the name of a title has, in code points (Contract: §13). */
export const MAX_TITLE_LENGTH = 1_024;
