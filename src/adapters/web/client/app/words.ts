/**
 * A second language would replace this catalog. Bundling splits the words by their full names (`words.devices.filter`).
 */
export * as words from './words/english.ts';
