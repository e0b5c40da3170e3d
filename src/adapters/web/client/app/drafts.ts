/**
 * Unsent text, kept in this tab through a reload or an ended session. Keys include the user, so the next person does
 * not see it. Never store passwords or codes here. Free of React, because the account deletion page uses it.
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
  } catch {}
}
