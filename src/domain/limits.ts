/** In one refusal (Contract: §1). */
export const MAX_FAULTS = 100;

/** For a filter text, where a word without a key becomes three conditions. */
export const MAX_CONDITIONS_OF_TEXT = 200_000;

/** Contract: §5. */
export const MAX_FILTERS_PER_ORGANIZATION = 1_000;

/** Contract: §17. */
export const MAX_SUBSCRIPTIONS_PER_OWNER = 200;

/** For an organization, and for a partner (Contract: §10). */
export const MAX_CUSTOM_FIELDS_PER_OWNER = 500;

/** Keys, names and choices in UTF-8: 256 KiB. Every filter check reads them all. */
export const MAX_CUSTOM_FIELD_BYTES_PER_OWNER = 256 * 1_024;

/** All conditions together as JSON text in UTF-8: 64 MiB (Contract: §5). */
export const MAX_CONDITION_BYTES_PER_ORGANIZATION = 64 * 1_048_576;

/** In milliseconds (Contract: §4, FILTER_TIMEOUT_MS). */
export const DEFAULT_FILTER_TIMEOUT_MS = 2_000;

/** In milliseconds (Contract: §6, SEARCH_TIMEOUT_MS). */
export const DEFAULT_SEARCH_TIMEOUT_MS = 1_000;

/** Software titles (Contract: §13). */
export const MAX_TITLES_PER_ORGANIZATION = 200_000;

/** For all software titles together. */
export const MAX_VERSIONS_PER_ORGANIZATION = 400_000;

/** Names and versions in UTF-8: 32 MiB (Contract: §13). */
export const MAX_TITLE_BYTES_PER_ORGANIZATION = 32 * 1_048_576;

/** In code points (Contract: §13). */
export const MAX_TITLE_LENGTH = 1_024;

/** In one bulk change (Contract: §10). */
export const MAX_BULK_DEVICES = 10_000;

/** In the request for one bulk change (Contract: §10). */
export const MAX_BULK_IDS = 1_000;

/** Contract: §17, CHANGES_RETENTION_DAYS. */
export const DEFAULT_CHANGES_DAYS = 30;

/** Contract: §17, CHANGES_RETENTION_COUNT. */
export const DEFAULT_CHANGES_COUNT = 1_000_000;
