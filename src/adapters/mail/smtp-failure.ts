/**
 * What an SMTP server's refusal, or its absence, means for a mail. A 4yz is for now and a 5yz is for good (RFC 5321,
 * 4.2.1); but only an answer to MAIL, RCPT or DATA is about the mail. Before that the server refuses us, and every
 * mail alike: the mails wait, for somebody to put it right.
 */
import type { NodemailerError } from 'nodemailer';
import type { SendOutcome } from '#application/ports/mail/mail-sender.ts';

type Failure = Exclude<SendOutcome, { result: 'sent' }>;

export function toFailure(error: NodemailerError): Failure {
  const { code = error.name, command, responseCode, response } = error;
  if (responseCode === undefined || command === undefined) {
    return { result: withoutAnswer(code), problem: redact(error.message), code };
  }
  return {
    result: withAnswer(command, responseCode),
    problem: redact(`${response ?? responseCode} (${command})`),
    code: `${responseCode} ${command}`,
  };
}

/** The commands whose answer is about one mail. */
const ABOUT_THE_MAIL: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** Sign in first, and the like (RFC 4954, section 6): said of us wherever it is said. */
const ABOUT_SIGNING_IN: ReadonlySet<number> = new Set([530, 534, 535, 538]);

function withAnswer(command: string, responseCode: number): Failure['result'] {
  if (!ABOUT_THE_MAIL.has(command) || ABOUT_SIGNING_IN.has(responseCode)) return 'unreachable';
  return responseCode >= 500 ? 'refused' : 'deferred';
}

function withoutAnswer(code: string): Failure['result'] {
  if (ABOUT_CONNECTIONS.has(code)) return 'unreachable';
  return ABOUT_CONTENTS.has(code) ? 'refused' : 'deferred';
}

/** nodemailer's codes for a connection that was not made, was lost or said nothing. */
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

/** What it refuses to send by itself. */
const ABOUT_CONTENTS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

/** Servers like to repeat whom they refuse; the outbox knows, and a log must not. */
function redact(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[^\s<>"'(),;:]*@[^\s<>"'(),;:]*/gu, '…');
  return line.length <= MAX_PROBLEM ? line : `${line.slice(0, MAX_PROBLEM - 1)}…`;
}

const MAX_PROBLEM = 300;
