/** Whether mail can be addressed to it at all; whether anybody is there, a mail server says. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}

/** Of a path in SMTP, brackets excluded (RFC 5321, 4.5.3.1.3). */
const MAX_LENGTH = 254;

// One @ with something on either side that needs no quotes (RFC 5321's Dot-string, and letters beyond ASCII). What
// does would be read for a list: nodemailer sends what is for "a,b@example.com" to b@example.com.
const ADDRESS = /^[^\s\p{Cc}\p{Cs}()<>[\]\\,;:@"]+@[^\s\p{Cc}\p{Cs}()<>[\]\\,;:@"]+$/u;
