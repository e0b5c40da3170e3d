/**
 * A server falls silent if its process is stopped or packets are lost. The driver would wait forever, so the
 * connection is closed here. The socket's timer measures the silence: it restarts with every byte.
 */
import { type Client, DatabaseError } from 'pg';
import type { ClientClass } from './pooled-client.ts';

export interface WatchLimits {
  /** After this much silence, the server is probed on a new connection and has this long to answer. */
  readonly patienceMs: number;
  /** After this much silence, the connection is closed whatever the probe says. */
  readonly limitMs: number;
}

const unhurried = new WeakSet<Client>();

export function letTakeTime(client: Client, isUnhurried: boolean): void {
  if (isUnhurried) unhurried.add(client);
  else unhurried.delete(client);
}

export function watchedClient(Base: ClientClass, { patienceMs, limitMs }: WatchLimits): ClientClass {
  let probing: Promise<boolean> | null = null;
  return class extends Base {
    constructor(config?: ConstructorParameters<ClientClass>[0]) {
      super(config);
      this.once('connect', () => watch(this, isThere));
      function isThere(): Promise<boolean> {
        // The spread lacks `password`, because a pool makes it non-enumerable.
        const probe = { ...config, password: config?.password, connectionTimeoutMillis: patienceMs };
        probing ??= answers(new Base(probe)).finally(() => {
          probing = null;
        });
        return probing;
      }
    }
  };

  function watch(client: Client, isThere: () => Promise<boolean>): void {
    const stream = client.connection.stream as Client['connection']['stream'] & Watchable;
    let heard = 0;
    let silentMs = 0;
    const onSilence = async () => {
      // An idle connection may be silent. Its next statement restarts the timer.
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

/** Whether a statement is running. The driver's types lack this property. */
function isWaiting(client: Client): boolean {
  return (client as Client & { readonly readyForQuery: boolean | null }).readyForQuery === false;
}

/** A refusal by the server, such as a rejected password, counts as an answer. */
async function answers(probe: Client): Promise<boolean> {
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    return true;
  } catch (error) {
    return error instanceof DatabaseError;
  } finally {
    void probe.end().catch(() => undefined);
  }
}
