/**
 * Drafts: what somebody is typing, kept in this tab through a reload and an ended session. Each belongs to one person,
 * so the next one at this browser does not see it. Never used for passwords or codes. Without React, for pages that
 * do without it.
 */

/** `purpose`: such as `deletion-reason`, with the id of what the draft is about if there are several. */
export function draftKey(userId: string, purpose: string): string {
  return `fleetsift.draft.${userId}.${purpose}`;
}

/** Empty if there is no draft. */
export function readDraft(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** An empty draft is removed. */
export function keepDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Without storage, a draft lasts only until the page is left.
  }
}
