/** Sending over SMTP: what arrives at a real server, and what every kind of refusal means. */
import { afterEach, describe, expect, test } from 'vitest';
import { makeSmtpSender, type SmtpTimeouts } from '#adapters/mail/smtp-sender.ts';
import type { OutgoingMail, SendOutcome } from '#application/ports/mail/mail-sender.ts';
import { renderMail } from '#domain/mail/render-mail.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';
import {
  type MailServer,
  type MailServerOptions,
  smtpAnswer,
  startMailServer,
} from '#test/support/mail/mail-server.ts';
import { aMailOfKind, aMailRecipient } from '#test/support/mail/mails.ts';
import {
  type Misstep,
  type ScriptedMailServer,
  type SmtpStep,
  startScriptedMailServer,
} from '#test/support/mail/scripted-mail-server.ts';

const FROM = { name: 'Fleetsift', address: 'fleetsift@msp.example' };
const NEVER = new AbortController().signal;

/** For servers that say nothing; all others have the time that a busy machine may need. */
const SHORT: Partial<SmtpTimeouts> = { greeting: 300, conversation: 300, acceptance: 300 };

const servers: (MailServer | ScriptedMailServer)[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function real(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  servers.push(server);
  return server;
}

async function scripted(script: Partial<Record<SmtpStep, Misstep>>): Promise<ScriptedMailServer> {
  const server = await startScriptedMailServer(script);
  servers.push(server);
  return server;
}

function anOutgoingMail(to: { readonly name?: string | null; readonly email?: string } = {}): OutgoingMail {
  const recipient = aMailRecipient(to);
  const mail = aMailOfKind('deletion-rejected', {
    to: recipient,
    facts: { adminNote: 'Über…\n.\nand more' },
  });
  return {
    id: newId(),
    email: recipient.email,
    queuedAt: SOME_INSTANT,
    ...renderMail(mail, 'https://fleet.example.com'),
  };
}

function send(
  url: string,
  mail: OutgoingMail = anOutgoingMail(),
  timeouts: Partial<SmtpTimeouts> = {},
): Promise<SendOutcome> {
  return makeSmtpSender({ url, from: FROM, timeouts })(mail, NEVER);
}

describe('a mail over SMTP', () => {
  test('arrives with its envelope, its headers and both of its bodies', async () => {
    const server = await real();
    const mail = anOutgoingMail({ name: 'Ada Löwe', email: 'ada@example.com' });
    expect(await send(server.url, mail)).toStrictEqual({ result: 'sent' });
    const [received] = server.received;
    expect(received).toMatchObject({ from: 'fleetsift@msp.example', to: ['ada@example.com'] });
    expect(received?.email).toMatchObject({
      messageId: `<${mail.id}@msp.example>`,
      from: { name: 'Fleetsift', address: 'fleetsift@msp.example' },
      to: [{ name: 'Ada Löwe', address: 'ada@example.com' }],
      subject: 'Your account deletion request was declined',
      date: '2026-02-10T08:00:00.000Z',
    });
    expect(received?.email.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(mail.text.trimEnd());
    expect(received?.email.html?.replaceAll('\r\n', '\n').trimEnd()).toBe(mail.html.trimEnd());
    const headers = new Map(received?.email.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('x-auto-response-suppress')).toBe('All');
    expect([...headers.keys()].filter((key) => ['cc', 'bcc', 'reply-to'].includes(key))).toStrictEqual([]);
  });

  test('is the same when it is sent again, except for the boundaries of its parts', async () => {
    const server = await real();
    const mail = anOutgoingMail();
    await send(server.url, mail);
    await send(server.url, mail);
    const [first, second] = server.received.map(({ raw }) => raw.replaceAll(/--_NmP-[\w-]+/g, '--boundary'));
    expect(server.received).toHaveLength(2);
    expect(second).toBe(first);
  });

  test.each([
    'Ada\r\nBcc: everybody@example.com',
    'Ada" <everybody@example.com>, "',
    'everybody@example.com, Ada',
    '=?utf-8?B?QWRh?=',
    'x'.repeat(2_000),
    'Ada\0\u202e',
  ])('goes to nobody else, whatever the name: %j', async (name) => {
    const server = await real();
    await send(server.url, anOutgoingMail({ name, email: 'ada@example.com' }));
    const [received] = server.received;
    expect(received?.to).toStrictEqual(['ada@example.com']);
    expect(received?.email.to?.map(({ address }) => address)).toStrictEqual(['ada@example.com']);
    expect(received?.email.bcc).toBeUndefined();
    expect(
      received?.raw
        .split('\r\n\r\n')[0]
        ?.match(/^[A-Za-z-]+(?=:)/gm)
        ?.toSorted(),
    ).toStrictEqual([
      'Auto-Submitted',
      'Content-Type',
      'Date',
      'From',
      'MIME-Version',
      'Message-ID',
      'Subject',
      'To',
      'X-Auto-Response-Suppress',
    ]);
  });

  test.each([
    'ada@example.com\r\nRCPT TO:<everybody@example.com>',
    'ada@example.com>',
    '<ada@example.com',
    'ada@example.com everybody@example.com',
    'ada@example.com@evil.example',
    'ada',
    '@example.com',
    'a,everybody@example.com',
    'a;everybody@example.com',
    'a:everybody@example.com',
    '"a"everybody@example.com',
    '(a)everybody@example.com',
    'ada@',
    '',
    `${'a'.repeat(250)}@example.com`,
  ])('is refused without a connection to the server if the address is invalid: %j', async (email) => {
    const server = await real();
    expect(await send(server.url, { ...anOutgoingMail(), email })).toStrictEqual({
      result: 'refused',
      problem: 'mail cannot be sent to this address',
      code: 'EADDRESS',
    });
    expect(server.connectionCount).toBe(0);
  });

  test('goes to an address with non-ASCII or unusual characters', async () => {
    const server = await real();
    for (const email of ['ada@bücher.example', "o'hara+fleet=%x@example.com", 'jürgen@example.com']) {
      expect(await send(server.url, anOutgoingMail({ email }))).toStrictEqual({ result: 'sent' });
    }
    expect(server.received.map(({ to }) => to)).toStrictEqual([
      ['ada@bücher.example'],
      ["o'hara+fleet=%x@example.com"],
      ['jürgen@example.com'],
    ]);
  });

  test('is sent with the user and the password of the URL, percent-encoded ones too', async () => {
    const seen: unknown[] = [];
    const server = await real({
      server: {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username, password }, _session, done) => {
          seen.push(username, password);
          done(null, { user: username ?? '' });
        },
      },
    });
    const url = server.url.replace('smtp://', 'smtp://ada%40msp.example:p%2Fw%20d@');
    expect(await send(url)).toStrictEqual({ result: 'sent' });
    expect(seen).toStrictEqual(['ada@msp.example', 'p/w d']);
  });

  test('is encrypted if the server offers it, and not sent if the certificate is not trusted', async () => {
    const server = await real({ server: { disabledCommands: [], authOptional: true, logger: false } });
    expect(await send(server.url)).toMatchObject({ result: 'unreachable', code: 'ESOCKET' });
    expect(server.received).toStrictEqual([]);
    expect(await send(`${server.url}?tls.rejectUnauthorized=false`)).toStrictEqual({ result: 'sent' });
  });
});

describe('a refusal', () => {
  const steps = ['MAIL', 'RCPT', 'DATA', 'end'] as const;
  const COMMANDS = { MAIL: 'MAIL FROM', RCPT: 'RCPT TO', DATA: 'DATA', end: 'DATA' } as const;

  test.each(steps)('that is temporary, to %s, defers the mail', async (step) => {
    const server = await scripted({ [step]: '451 4.7.1 come back later' });
    expect(await send(server.url)).toStrictEqual({
      result: 'deferred',
      problem: `451 4.7.1 come back later (${COMMANDS[step]})`,
      code: `451 ${COMMANDS[step]}`,
    });
  });

  test.each(steps)('that is permanent, to %s, refuses the mail for good', async (step) => {
    const server = await scripted({ [step]: '550 5.1.1 not here' });
    expect(await send(server.url)).toStrictEqual({
      result: 'refused',
      problem: `550 5.1.1 not here (${COMMANDS[step]})`,
      code: `550 ${COMMANDS[step]}`,
    });
  });

  test.each(['421 4.3.2 closing', '554 5.7.1 go away'] as const)(
    'at the greeting keeps the mail for later: %s',
    async (answer) => {
      const server = await scripted({ greeting: answer });
      expect(await send(server.url)).toMatchObject({
        result: 'unreachable',
        problem: expect.stringContaining(answer),
      });
    },
  );

  test.each(['421 4.3.2 closing', '550 5.7.1 who are you'] as const)(
    'to EHLO and HELO keeps the mail for later: %s',
    async (answer) => {
      const server = await scripted({ EHLO: answer, HELO: answer });
      expect(await send(server.url)).toMatchObject({ result: 'unreachable' });
    },
  );

  test('to EHLO alone does not stop the mail: older servers know HELO', async () => {
    const server = await scripted({ EHLO: '502 what?' });
    expect(await send(server.url)).toStrictEqual({ result: 'sent' });
  });

  test.each(['530 5.7.0 sign in first', '535 5.7.8 bad credentials'] as const)(
    'because of our sign-in keeps the mail for later: %s',
    async (answer) => {
      const server = await scripted({ MAIL: answer });
      expect(await send(server.url)).toMatchObject({ result: 'unreachable' });
    },
  );

  test('of the password keeps the mail for later', async () => {
    const server = await real({
      server: {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) => done(smtpAnswer(535, '5.7.8 bad credentials')),
      },
    });
    const url = server.url.replace('smtp://', 'smtp://ada:wrong@');
    expect(await send(url)).toMatchObject({ result: 'unreachable', code: '535 AUTH PLAIN' });
    expect(server.received).toStrictEqual([]);
  });

  test('is reported without the address that it repeats', async () => {
    const server = await real({
      server: {
        onRcptTo: ({ address }, _session, done) =>
          done(smtpAnswer(550, `<${address}>: ${address} is unknown`)),
      },
    });
    const outcome = await send(server.url, anOutgoingMail({ email: 'ada@example.com' }));
    expect(outcome).toStrictEqual({
      result: 'refused',
      problem: '550 <…>: … is unknown (RCPT TO)',
      code: '550 RCPT TO',
    });
  });

  test('is cut at 300 characters', async () => {
    const server = await scripted({ RCPT: `550 ${'no '.repeat(1_000)}` });
    const outcome = await send(server.url);
    expect(outcome.result === 'refused' && outcome.problem.length).toBe(300);
  });

  test('of one mail does not affect the next', async () => {
    const server = await real({
      server: {
        onRcptTo: ({ address }, _session, done) =>
          done(address.startsWith('gone') ? smtpAnswer(550, 'unknown') : null),
      },
    });
    expect(await send(server.url, anOutgoingMail({ email: 'gone@example.com' }))).toMatchObject({
      result: 'refused',
    });
    expect(await send(server.url, anOutgoingMail({ email: 'ada@example.com' }))).toStrictEqual({
      result: 'sent',
    });
  });
});

describe('a server that', () => {
  test('is down leaves the mail for later', async () => {
    const server = await real();
    await server.close();
    expect(await send(server.url)).toMatchObject({ result: 'unreachable', code: 'ESOCKET' });
  });

  test('has an unknown host name leaves the mail for later', async () => {
    expect(await send('smtp://mail.invalid:25')).toMatchObject({ result: 'unreachable', code: 'EDNS' });
  });

  const EARLY = ['greeting', 'EHLO', 'STARTTLS', 'AUTH', 'MAIL', 'RCPT', 'DATA'] as const;
  const signingIn = (server: ScriptedMailServer) => server.url.replace('smtp://', 'smtp://ada:secret@');

  test.each(EARLY)('says nothing at %s leaves the mail for later', async (step) => {
    const server = await scripted({ [step]: 'hang' });
    expect(await send(signingIn(server), anOutgoingMail(), SHORT)).toMatchObject({
      result: 'unreachable',
      code: 'ETIMEDOUT',
    });
    await expect.poll(() => server.openConnections()).toBe(0);
  });

  test.each(EARLY)('says a line now and then at %s, but never the last, is given up too', async (step) => {
    const server = await scripted({ [step]: 'drip' });
    expect(await send(signingIn(server), anOutgoingMail(), { conversation: 300 })).toMatchObject({
      result: 'unreachable',
      code: 'ETIMEDOUT',
    });
    await expect.poll(() => server.openConnections()).toBe(0);
  });

  test.each(EARLY)('breaks the connection at %s leaves the mail for later', async (step) => {
    const server = await scripted({ [step]: 'drop' });
    const outcome = await send(signingIn(server));
    expect(outcome.result).toBe('unreachable');
    expect(outcome.result !== 'sent' && outcome.code).toMatch(/^(ECONNECTION|ESOCKET|ETLS)$/);
  });

  test.each(['hang', 'drip', 'drop'] as const)(
    'does not confirm a whole mail (%s) may have accepted it, so the mail is deferred',
    async (misstep) => {
      const server = await scripted({ end: misstep });
      expect(await send(server.url, anOutgoingMail(), { acceptance: 300 })).toMatchObject({
        result: 'deferred',
        problem: expect.stringContaining('may arrive twice'),
        code: misstep === 'drop' ? expect.stringMatching(/^(ECONNECTION|ESOCKET)$/) : 'ETIMEDOUT',
      });
      await expect.poll(() => server.openConnections()).toBe(0);
    },
  );

  test('takes longer to accept a whole mail than for any step before is waited for', async () => {
    const taking = Promise.withResolvers<void>();
    const server = await real({ beforeTaking: () => taking.promise });
    const sending = send(server.url, anOutgoingMail(), { conversation: 300 });
    const first = await Promise.race([
      sending,
      new Promise((resolve) => setTimeout(resolve, 900, 'waiting')),
    ]);
    taking.resolve();
    expect([first, await sending]).toStrictEqual(['waiting', { result: 'sent' }]);
  });

  test('is slow to accept a mail, but not too slow, gets it', async () => {
    const server = await real({ beforeTaking: () => new Promise((resolve) => setTimeout(resolve, 200)) });
    expect(await send(server.url)).toStrictEqual({
      result: 'sent',
    });
  });

  test('never accepts a whole mail leaves it deferred', async () => {
    const server = await real({
      beforeTaking: () => new Promise(() => undefined),
    });
    expect(await send(server.url, anOutgoingMail(), { acceptance: 300 })).toMatchObject({
      result: 'deferred',
      code: 'ETIMEDOUT',
    });
  });

  test('talks nonsense leaves the mail for later', async () => {
    const server = await scripted({ greeting: '999 HTTP/1.1 400 Bad Request' });
    expect(await send(server.url)).toMatchObject({ result: 'unreachable', code: '999 CONN' });
  });
});

test.each(['MAIL', 'end'] as const)('aborting ends a conversation at once, at %s', async (step) => {
  const server = await scripted({ [step]: 'hang' });
  const aborting = new AbortController();
  const sending = makeSmtpSender({ url: server.url, from: FROM })(anOutgoingMail(), aborting.signal);
  await expect.poll(() => server.openConnections()).toBe(1);
  aborting.abort();
  expect(await sending).toMatchObject({ code: 'EABORT' });
  await expect.poll(() => server.openConnections()).toBe(0);
});
