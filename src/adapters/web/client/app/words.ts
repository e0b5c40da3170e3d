/**
 * A second language would replace this catalogue. Use full names (`words.devices.filter`): bundling splits words by
 * them.
 */
export * as words from './words/english.ts';
