/** Whether mail can be addressed to the text; only a mail server knows whether anybody receives it. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}

/** The longest SMTP path without brackets (RFC 5321, 4.5.3.1.3). */
const MAX_LENGTH = 254;

// One @ with unquoted text on both sides (RFC 5321's Dot-string, and letters beyond ASCII). Addresses that need
// quotes would be read as lists: nodemailer sends mail for "a,b@example.com" to b@example.com.
const ADDRESS = /^[^\s\p{Cc}\p{Cs}()<>[\]\\,;:@"]+@[^\s\p{Cc}\p{Cs}()<>[\]\\,;:@"]+$/u;
