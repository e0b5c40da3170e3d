/** Whether mail can be addressed to the text. Whether anybody receives it is for a mail server to say. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}

/** The longest SMTP path, without its brackets (RFC 5321, 4.5.3.1.3). */
const MAX_LENGTH = 254;

// One @ with text on both sides that needs no quotes (RFC 5321's Dot-string, and letters beyond ASCII). An address
// that does need them would be read as a list: nodemailer sends mail for "a,b@example.com" to b@example.com.
const ADDRESS = /^[^\s\p{Cc}\p{Cs}()<>[\]\\,;:@"]+@[^\s\p{Cc}\p{Cs}()<>[\]\\,;:@"]+$/u;
