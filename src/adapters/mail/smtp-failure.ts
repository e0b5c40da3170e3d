/**
 * The meaning of an SMTP server's refusal or silence. 4yz replies are transient, 5yz permanent (RFC 5321, 4.2.1), but
 * only replies to MAIL, RCPT and DATA concern the mail. Earlier refusals concern us, so all mails wait until somebody
 * fixes it. A server that had the whole mail and fell silent may have taken it, so the mail is retried as rarely as a
 * deferred one.
 */
import type { NodemailerError } from 'nodemailer';
import type { SendOutcome } from '#application/ports/mail/mail-sender.ts';

type Failure = Exclude<SendOutcome, { result: 'sent' }>;

export function toFailure(error: NodemailerError, isHandedOver: boolean): Failure {
  const { code = error.name, command, responseCode, response } = error;
  if (responseCode === undefined || command === undefined) {
    if (isHandedOver) {
      return { result: 'deferred', problem: `${MAY_HAVE_ARRIVED}: ${redact(error.message)}`, code };
    }
    return { result: withoutAnswer(code), problem: redact(error.message), code };
  }
  return {
    result: withAnswer(command, responseCode),
    problem: redact(`${response ?? responseCode} (${command})`),
    code: `${responseCode} ${command}`,
  };
}

const MAY_HAVE_ARRIVED =
  'the server was sent the whole mail and did not say that it took it; it may arrive twice';

/** Commands whose reply concerns one mail. */
const ABOUT_THE_MAIL: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** Authentication replies (RFC 4954, section 6), which concern us whatever the command. */
const ABOUT_SIGNING_IN: ReadonlySet<number> = new Set([530, 534, 535, 538]);

function withAnswer(command: string, responseCode: number): Failure['result'] {
  if (!ABOUT_THE_MAIL.has(command) || ABOUT_SIGNING_IN.has(responseCode)) return 'unreachable';
  return responseCode >= 500 ? 'refused' : 'deferred';
}

function withoutAnswer(code: string): Failure['result'] {
  if (ABOUT_CONNECTIONS.has(code)) return 'unreachable';
  return ABOUT_CONTENTS.has(code) ? 'refused' : 'deferred';
}

/** nodemailer's codes for failed, lost and timed-out connections. */
const ABOUT_CONNECTIONS: ReadonlySet<string> = new Set([
  'EABORT',
  'EAUTH',
  'ECONNECTION',
  'EDNS',
  'ENOAUTH',
  'EPROTOCOL',
  'EPROXY',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
]);

/** nodemailer's codes for messages that it refuses to send. */
const ABOUT_CONTENTS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

/** Removes addresses, which servers repeat in refusals and logs must not contain. */
function redact(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[^\s<>"'(),;:]*@[^\s<>"'(),;:]*/gu, '…');
  return line.length <= MAX_PROBLEM ? line : `${line.slice(0, MAX_PROBLEM - 1)}…`;
}

const MAX_PROBLEM = 300;
