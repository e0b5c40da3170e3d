/** What a client calls itself, as it is stored and shown: one line of bounded length. */

/** In code points. Browsers send about half of it. */
const MAX_LENGTH = 256;

/** Without control characters and unpaired surrogates, and cut; null if nothing is left or nothing was sent. */
export function storableUserAgent(sent: string | null | undefined): string | null {
  const line = (sent ?? '').replace(UNPRINTABLE, '').trim();
  return line === '' ? null : Array.from(line).slice(0, MAX_LENGTH).join('');
}

// Direction marks, embeddings, overrides and isolates would show as something else than they are.
const UNPRINTABLE = /\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
