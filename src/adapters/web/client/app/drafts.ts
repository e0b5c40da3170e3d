/**
 * What a person is typing, kept in this tab through a reload or an ended session. The key names the user, so the next
 * person does not see it. Never used for passwords or codes. Free of React, for the account deletion page.
 */

export function draftKey(userId: string, purpose: string): string {
  return `fleetsift.draft.${userId}.${purpose}`;
}

export function readDraft(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

export function keepDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Without storage, a draft lasts until the page is left.
  }
}
