import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from './session.ts';

/** A session that is reopened when lost, until closed. */
export interface ReconnectingSession {
  /** Also stops attempts to reopen. Idempotent. */
  close(): Promise<void>;
}

export interface SessionRecovery {
  /** Retried after a pause if it rejects. */
  readonly reopen: (signal: AbortSignal) => Promise<Session>;
  readonly onLost: () => void;
  readonly onRestored: () => void;
  readonly onFailure: (error: Error) => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Neither the session nor a pause keeps the process alive. */
export function reconnectWhenLost(first: Session, recovery: SessionRecovery): ReconnectingSession {
  const closing = new AbortController();
  let current = first;
  let closed: Promise<void> | undefined;
  current.unref();
  const watch = (async () => {
    while (true) {
      await current.ended;
      if (closing.signal.aborted) {
        return;
      }
      recovery.onLost();
      const reopened = await reopenWithBackoff(recovery, closing.signal);
      if (reopened === undefined) {
        return;
      }
      if (closing.signal.aborted) {
        await reopened.close();
        return;
      }
      current = reopened;
      current.unref();
      recovery.onRestored();
    }
  })();
  const close = async () => {
    closing.abort();
    await current.close();
    await watch;
  };
  return {
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Undefined if closed first. */
async function reopenWithBackoff(
  recovery: SessionRecovery,
  signal: AbortSignal,
): Promise<Session | undefined> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      return await recovery.reopen(signal);
    } catch (error) {
      if (!signal.aborted) {
        recovery.onFailure(error as Error);
      }
    }
    await delay(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  return undefined;
}
