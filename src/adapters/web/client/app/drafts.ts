/**
 * Keeps unsent text in this tab through a reload or an ended session. Keys include the user, so the next
 * person does not see the text. Never store passwords or codes here. This module must not import React,
 * because the account deletion page uses it.
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
