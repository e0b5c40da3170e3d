/** Keeps a session open across the loss of its connection. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from './session.ts';

/** A session that is opened again when it is lost, until it is closed. */
export interface KeptSession {
  /** Ends it; a reopening under way is given up. Idempotent. */
  close(): Promise<void>;
}

/** How a lost session comes back. */
export interface SessionRecovery {
  /** Opens the session anew; called again, after a pause, when it rejects. */
  readonly reopen: (signal: AbortSignal) => Promise<Session>;
  readonly onLost: () => void;
  readonly onRestored: () => void;
  readonly onFailure: (error: Error) => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Watches over an open session. Neither it nor its pauses keep the process from ending. */
export function keepSession(first: Session, recovery: SessionRecovery): KeptSession {
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
      const reopened = await reopenPatiently(recovery, closing.signal);
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

/** The new session, or `undefined` where the keeper was closed first. */
async function reopenPatiently(recovery: SessionRecovery, signal: AbortSignal): Promise<Session | undefined> {
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
