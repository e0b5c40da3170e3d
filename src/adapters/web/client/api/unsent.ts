/**
 * What is sent only after a while, such as a deletion that can be undone. It has to go before somebody signs out, in
 * this tab or in another one: no request is taken afterwards. Tabs hold a lock until theirs is through.
 */

const NAME = 'fleetsift-unsent';

/** Milliseconds after which a tab that does not answer, as one that the browser has frozen, is not waited for. */
const MAX_WAIT_MS = 5_000;

/** Absent where the console is served without TLS from elsewhere: there no other tab is waited for. */
const { locks } = navigator as { readonly locks?: LockManager };

const tabs = new BroadcastChannel(NAME);
const senders = new Set<() => Promise<unknown>>();
let release: (() => void) | null = null;

tabs.onmessage = () => void sendHere();

/** Something waits, and `send` sends it at once; gives what is called when nothing waits any more. */
export function keepUnsent(send: () => Promise<unknown>): () => void {
  senders.add(send);
  hold();
  return () => {
    senders.delete(send);
    if (senders.size === 0) free();
  };
}

/** Sends what waits in any tab. */
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
