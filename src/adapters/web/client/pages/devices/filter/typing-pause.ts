/** Milliseconds after the last key until the list follows the filter. */
export const TYPING_PAUSE_MS = 350;

/** What cannot be read as it stands may be half a word, which gets more time. */
export const FAULTY_TYPING_PAUSE_MS = 1200;
