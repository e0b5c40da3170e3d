/**
 * What the words are written in, and so the numbers and dates between them: a German browser would put "vor 3 Min." into
 * an English sentence.
 */
export const LANGUAGE = 'en-GB';
