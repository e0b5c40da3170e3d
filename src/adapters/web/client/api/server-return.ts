import { send } from './http.ts';

const PROBE_MS = 3_000;

/** Asks the server until the returned function is called, and calls `onReturn` each time that it is ready. */
export function watchForReturn(onReturn: () => void): () => void {
  let isOver = false;
  const probe = setInterval(async () => {
    const answer = await send('/readyz', {}).catch(() => null);
    if (answer?.ok === true && !isOver) onReturn();
  }, PROBE_MS);
  return () => {
    isOver = true;
    clearInterval(probe);
  };
}
