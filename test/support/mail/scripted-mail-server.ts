/** An SMTP server that answers as a test scripts it, so that it can misbehave. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * The steps of a conversation; `contents` is the first line of the message, and `end` the dot after its last line.
 * STARTTLS and AUTH are offered only if they are scripted.
 */
export const SMTP_STEPS = [
  'greeting',
  'EHLO',
  'HELO',
  'STARTTLS',
  'AUTH',
  'MAIL',
  'RCPT',
  'DATA',
  'contents',
  'end',
] as const;
export type SmtpStep = (typeof SMTP_STEPS)[number];

/**
 * The answer instead of success. `hang` stops answering, `drip` sends a line now and then but never the last one, and
 * `drop` breaks the connection.
 */
export type Misstep = 'hang' | 'drip' | 'drop' | `${number} ${string}`;

export interface ScriptedMailServer {
  readonly url: string;
  /** The number of open connections. */
  openConnections(): number;
  close(): Promise<void>;
}

export async function startScriptedMailServer(
  script: Partial<Record<SmtpStep, Misstep>>,
): Promise<ScriptedMailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    void converse(socket, script);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openConnections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const YES: Readonly<Record<SmtpStep, string | null>> = {
  greeting: '220 scripted.example ESMTP',
  EHLO: '250 scripted.example',
  HELO: '250 scripted.example',
  STARTTLS: '454 TLS is not there',
  AUTH: '235 welcome',
  MAIL: '250 OK',
  RCPT: '250 OK',
  DATA: '354 go on',
  contents: null,
  end: '250 taken',
};

const OFFERS: Readonly<Record<string, string>> = { STARTTLS: 'STARTTLS', AUTH: 'AUTH PLAIN' };

async function converse(socket: Socket, script: Partial<Record<SmtpStep, Misstep>>): Promise<void> {
  /** Answers the step; false if the conversation is over. */
  const answer = (step: SmtpStep): boolean => {
    const offers = Object.keys(script).filter((known) => known === 'STARTTLS' || known === 'AUTH');
    const greeted = [...offers.map((offer) => `250-${OFFERS[offer]}`), YES.EHLO].join('\r\n');
    const said = script[step] ?? (step === 'EHLO' ? greeted : YES[step]);
    if (said === 'hang') return false;
    if (said === 'drop') {
      socket.destroy();
      return false;
    }
    if (said === 'drip') {
      const dripping = setInterval(() => socket.write('250-still working\r\n'), 20);
      socket.once('close', () => clearInterval(dripping));
      return false;
    }
    if (said !== null) socket.write(`${said}\r\n`);
    return true;
  };
  if (!answer('greeting')) return;
  let isInContents = false;
  let hasBegun = false;
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (isInContents) {
      if (!hasBegun && !answer('contents')) return;
      hasBegun = true;
      if (line !== '.') continue;
      isInContents = false;
      if (!answer('end')) return;
      continue;
    }
    const [verb] = line.toUpperCase().split(' ');
    if (verb === 'QUIT') {
      socket.end('221 bye\r\n');
      return;
    }
    const step = SMTP_STEPS.find((known) => known === verb);
    if (step === undefined) socket.write('502 what?\r\n');
    else if (!answer(step)) return;
    else isInContents = step === 'DATA' && script.DATA === undefined;
  }
}
