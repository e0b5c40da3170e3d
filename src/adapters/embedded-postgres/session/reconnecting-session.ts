/** Reconnects a session whenever its connection is lost. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from './session.ts';

/** A session that is reopened when it is lost, until it is closed. */
export interface ReconnectingSession {
  /** Closes it, and gives up any attempt to reopen it. Idempotent. */
  close(): Promise<void>;
}

/** How a lost session is restored. */
export interface SessionRecovery {
  /** Opens a new session; retried after a pause if it rejects. */
  readonly reopen: (signal: AbortSignal) => Promise<Session>;
  readonly onLost: () => void;
  readonly onRestored: () => void;
  readonly onFailure: (error: Error) => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Watches an open session. Neither the session nor a pause between attempts keeps the process alive. */
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

/** The new session, or `undefined` if closed first. */
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
