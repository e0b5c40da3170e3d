/**
 * The driver's connection to a server that may fall silent in the middle of a statement: whose process is stopped, or
 * which no packet reaches. The driver would wait for ever. The socket's own timer tells of silence, which every byte
 * winds up anew; no statement has a timer.
 */
import { type Client, DatabaseError } from 'pg';
import type { ClientClass } from './pooled-client.ts';

export interface WatchLimits {
  /**
   * How long the server may say nothing to a statement, in milliseconds, before it is asked, on a connection of its
   * own, whether it is there; and how long it then has to answer.
   */
  readonly patienceMs: number;
  /** After so much silence the connection is broken off whatever it answers, in milliseconds. */
  readonly limitMs: number;
}

/** Connections whose statements have no time limit. */
const unhurried = new WeakSet<Client>();

/** Leaves the connection to its statements, or watches it again. */
export function letTakeTime(client: Client, isUnhurried: boolean): void {
  if (isUnhurried) unhurried.add(client);
  else unhurried.delete(client);
}

/** Connections that are broken off, with an error like that of a lost one, when the server has fallen silent. */
export function watchedClient(Base: ClientClass, { patienceMs, limitMs }: WatchLimits): ClientClass {
  let asking: Promise<boolean> | null = null;
  return class extends Base {
    constructor(config?: ConstructorParameters<ClientClass>[0]) {
      super(config);
      this.once('connect', () => watch(this, isThere));
      /** One question at a time is enough for all of them. */
      function isThere(): Promise<boolean> {
        // A pool hides its password from copies.
        const newcomer = { ...config, password: config?.password, connectionTimeoutMillis: patienceMs };
        asking ??= ask(new Base(newcomer)).finally(() => {
          asking = null;
        });
        return asking;
      }
    }
  };

  function watch(client: Client, isThere: () => Promise<boolean>): void {
    const stream = client.connection.stream as Client['connection']['stream'] & Watchable;
    let heard = 0;
    let silentMs = 0;
    const onSilence = async () => {
      // Whoever has been answered is silent by right; the next statement winds the timer up.
      if (!isWaiting(client) || unhurried.has(client)) return;
      const bytes = stream.bytesRead + stream.bytesWritten;
      silentMs = bytes === heard ? silentMs + patienceMs : patienceMs;
      heard = bytes;
      if (silentMs < limitMs && (await isThere())) stream.setTimeout(patienceMs);
      else if (stream.bytesRead + stream.bytesWritten === heard) {
        stream.destroy(new Error('connection terminated, as the database does not answer'));
      }
    };
    stream.on('timeout', () => void onSilence());
    stream.setTimeout(patienceMs);
  }
}

interface Watchable {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  setTimeout(ms: number): void;
}

/** Whether a statement is under way, which the driver does not tell in its types. */
function isWaiting(client: Client): boolean {
  return (client as Client & { readonly readyForQuery: boolean | null }).readyForQuery === false;
}

/** Whether the server answers a newcomer, be it with a refusal. */
async function ask(newcomer: Client): Promise<boolean> {
  newcomer.on('error', () => undefined);
  try {
    await newcomer.connect();
    return true;
  } catch (error) {
    return error instanceof DatabaseError;
  } finally {
    // A server that has not answered does not take leave either.
    void newcomer.end().catch(() => undefined);
  }
}
