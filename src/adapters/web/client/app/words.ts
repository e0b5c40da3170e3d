/**
 * A second language would replace this catalog. Use full names (`words.devices.filter`), because bundling splits the
 * words by them.
 */
export * as words from './words/english.ts';
