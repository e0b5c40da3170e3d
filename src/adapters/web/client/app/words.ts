/**
 * A second language would replace this catalogue. Words are used by their full name (`words.devices.filter`), so
 * bundling can split them by page.
 */
export * as words from './words/english.ts';
