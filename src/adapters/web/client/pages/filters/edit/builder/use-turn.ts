/** Rows of a long filter are rendered in turns, so the first ones can be used at once. */
import { useEffect, useState } from 'react';

/** More rows than fit into a window. */
const AT_ONCE = 40;

const IN_A_TURN = 15;

let left = AT_ONCE;
let isScheduled = false;
const waiting = new Set<() => void>();

/** Whether the row that asks is rendered in full. Once it is, it stays so. */
export function useTurn(): boolean {
  const [hasTurn, setHasTurn] = useState(takeTurn);
  useEffect(() => {
    if (hasTurn) return;
    const take = () => setHasTurn(true);
    waiting.add(take);
    return () => void waiting.delete(take);
  }, [hasTurn]);
  return hasTurn;
}

function takeTurn(): boolean {
  schedule();
  left -= 1;
  return left >= 0;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  window.setTimeout(() => {
    isScheduled = false;
    const turn = [...waiting].slice(0, IN_A_TURN);
    for (const take of turn) {
      waiting.delete(take);
      take();
    }
    left = waiting.size === 0 ? AT_ONCE : 0;
    if (waiting.size > 0) schedule();
  }, PAUSE_MS);
}

/** Long enough for keys and clicks in between. */
const PAUSE_MS = 30;
