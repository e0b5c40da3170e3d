/**
 * A second language would replace this catalog. Use full names, such as `words.devices.filter`, so that each bundle
 * gets only its words.
 */
export * as words from './words/english.ts';
