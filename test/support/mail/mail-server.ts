/** A real SMTP server for tests, which keeps its mails and lets a test choose its answers. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The mail as received, without dot stuffing. */
  readonly raw: string;
  readonly email: Email;
}

export interface MailServer {
  readonly url: string;
  readonly port: number;
  /** The accepted mails in order. */
  readonly received: readonly ReceivedMail[];
  /** The number of connections so far. */
  readonly connectionCount: number;
  /** Waits until so many mails have been accepted. */
  receivedCount(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface MailServerOptions {
  /** Default: 0, which stands for any free port. */
  readonly port?: number;
  /** Called before a mail is accepted. A thrown error is the answer, see `smtpAnswer`. */
  readonly beforeTaking?: (mail: ReceivedMail) => Promise<void> | void;
  /** Hooks and settings of smtp-server. */
  readonly server?: SMTPServerOptions;
}

/** An error that answers with an SMTP status. */
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
  // In some tests, the client disconnects in the middle.
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
