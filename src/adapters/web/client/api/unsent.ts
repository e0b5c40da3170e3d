/**
 * Requests that are sent later, such as a deletion with undo. After sign-out the service would refuse them, so a tab
 * with unsent requests holds a lock that sign-out waits for.
 */
import { BASE_PATH } from './base-path.ts';

const NAME = `fleetsift-unsent${BASE_PATH}`;

/** Sign-out stops waiting, because a tab that the browser has frozen never releases its lock. */
const MAX_WAIT_MS = 5_000;

/** Absent without TLS; sign-out then does not wait for other tabs. */
const { locks } = navigator as { readonly locks?: LockManager };

const tabs = new BroadcastChannel(NAME);
const senders = new Set<() => Promise<unknown>>();
let release: (() => void) | null = null;

tabs.onmessage = () => void sendHere();

/** `send` must send at once. Call the returned function when the request is sent or dropped. */
export function keepUnsent(send: () => Promise<unknown>): () => void {
  senders.add(send);
  hold();
  return () => {
    senders.delete(send);
    if (senders.size === 0) free();
  };
}

export async function sendUnsent(): Promise<void> {
  tabs.postMessage('send');
  await sendHere();
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  await locks?.request(NAME, { signal }, () => undefined).catch(() => undefined);
}

async function sendHere(): Promise<void> {
  await Promise.allSettled([...senders].map((send) => send()));
  free();
}

function hold(): void {
  if (release !== null) return;
  const isSent = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks?.request(NAME, { mode: 'shared' }, () => isSent).catch(() => undefined);
}

function free(): void {
  release?.();
  release = null;
}
