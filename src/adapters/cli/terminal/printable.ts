/** A terminal obeys some characters instead of showing them; here each is one that it shows. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�');
}
