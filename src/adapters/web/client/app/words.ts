/**
 * A second language would replace this catalogue. Use words by their full name (`words.devices.filter`), so that
 * bundling can split them by page.
 */
export * as words from './words/english.ts';
