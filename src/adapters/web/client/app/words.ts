/**
 * The words of the console, in one language; another one is another catalogue in the place of this. Each is named in
 * full where it is used (`words.devices.filter`), never looked up: so an area's words are loaded with its pages.
 */
export * as words from './words/english.ts';
