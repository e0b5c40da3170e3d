/** Renders a long filter in turns, so its first rows can be used at once. */
import { useEffect, useState } from 'react';

/** More rows than a window shows. */
const AT_ONCE = 40;

const IN_A_TURN = 15;

let left = AT_ONCE;
let isScheduled = false;
const waiting = new Set<() => void>();

/** True once the row may be rendered in full. */
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

/** Between turns, the browser handles keys and clicks. */
const PAUSE_MS = 30;
