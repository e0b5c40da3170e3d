/**
 * Texts that somebody is typing, kept in this tab through a reload and an ended session: by person, so that the next
 * one at this browser does not see them. Passwords and codes are never kept. Without React, for the pages that have
 * none.
 */

/** What a text is for, and who types it. */
export interface DraftOf {
  readonly userId: string;
  /** For example `deletion-reason`; with the id of what the text is about, if there are several. */
  readonly purpose: string;
}

const keyOf = ({ userId, purpose }: DraftOf) => `fleetsift.draft.${userId}.${purpose}`;

/** Empty if there is no draft. */
export function readDraft(draft: DraftOf): string {
  try {
    return sessionStorage.getItem(keyOf(draft)) ?? '';
  } catch {
    return '';
  }
}

/** An empty one is removed. */
export function keepDraft(draft: DraftOf, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(draft));
    else sessionStorage.setItem(keyOf(draft), text);
  } catch {
    // A browser that keeps nothing still sends what is in the field.
  }
}
