/** A real SMTP server for tests, which keeps what it gets and can be told how to answer. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, dots unstuffed. */
  readonly raw: string;
  readonly email: Email;
}

export interface MailServer {
  readonly url: string;
  readonly port: number;
  /** What was taken, in order. */
  readonly received: readonly ReceivedMail[];
  /** How many connections there were. */
  readonly connectionCount: number;
  /** Fulfilled when so many mails have been taken. */
  receivedCount(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface MailServerOptions {
  /** 0, the default, is any free port. */
  readonly port?: number;
  /** Asked before a mail is taken; what it throws is the answer, see `smtpAnswer`. */
  readonly beforeTaking?: (mail: ReceivedMail) => Promise<void> | void;
  /** Hooks and settings of smtp-server. */
  readonly server?: SMTPServerOptions;
}

/** An answer with an SMTP status. */
export function smtpAnswer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let connectionCount = 0;
  const take = async (mail: ReceivedMail) => {
    await options.beforeTaking?.(mail);
    received.push(mail);
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onData: (stream, { envelope }, done) => {
      const read = async () => {
        const raw = await buffer(stream);
        await take({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: raw.toString('latin1'),
          email: await PostalMime.parse(raw),
        });
      };
      read().then(
        () => done(null),
        (error: Error) => done(error),
      );
    },
    ...options.server,
  });
  // Clients that go away in the middle are what some tests are about.
  server.on('error', () => undefined);
  server.server.on('connection', () => {
    connectionCount++;
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    get connectionCount() {
      return connectionCount;
    },
    receivedCount: (count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ count, resolve });
      if (received.length >= count) resolve();
      return promise;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
