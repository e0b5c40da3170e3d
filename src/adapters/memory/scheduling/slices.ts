import { type EndSlice, makeEndSlice } from '#application/in-slices.ts';

/**
 * Decides whose slice of work runs next: round-robin over callers, regardless of how much work each has queued. The
 * event loop runs once between two slices.
 */
export class FairQueue {
  /** In the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isPumping = false;

  /** Calls `go` when it is the caller's turn. Calls of one caller run in order. */
  enqueue(caller: string, go: () => void): void {
    const queue = this.#waiting.get(caller);
    if (queue === undefined) this.#waiting.set(caller, [go]);
    else queue.push(go);
    if (!this.#isPumping) this.#pumpSoon();
  }

  #pumpSoon(): void {
    this.#isPumping = true;
    setImmediate(() => {
      this.#serveNext();
      if (this.#waiting.size > 0) this.#pumpSoon();
      else this.#isPumping = false;
    });
  }

  #serveNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [caller, queue] = next;
    this.#waiting.delete(caller);
    const go = queue.shift();
    if (queue.length > 0) this.#waiting.set(caller, queue);
    go?.();
  }
}

/** Resolves when it is the caller's turn, when the time is up, or when the signal fires. */
function waitInQueue(
  queue: FairQueue,
  caller: string,
  remainingMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', go);
      resolve();
    };
    const timer = setTimeout(go, Math.max(0, remainingMs));
    signal?.addEventListener('abort', go, { once: true });
    queue.enqueue(caller, go);
  });
}

/**
 * The longest that work may run before it yields, in milliseconds. A pause of ten goes unnoticed; half of it remains
 * for processing the results of a slice before the event loop continues.
 */
const SLICE_MS = 5;

/** To call between small steps of long work: it yields to the event loop once a slice is used up. */
export function makeYieldToEventLoop(): EndSlice {
  return makeEndSlice(SLICE_MS);
}

/** A run this short is sorted without yielding. */
const RUN_LENGTH = 512;

/** Sorts many items without blocking the process for longer than a slice. `compare` must never return 0. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<readonly Item[]> {
  const yieldToEventLoop = makeYieldToEventLoop();
  let runs: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += RUN_LENGTH) {
    runs.push(items.slice(from, from + RUN_LENGTH).sort(compare));
    await yieldToEventLoop();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      merged.push(await mergeRuns(runs[i] ?? [], runs[i + 1] ?? [], compare, yieldToEventLoop));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeRuns<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
  yieldToEventLoop: EndSlice,
): Promise<readonly Item[]> {
  const merged: Item[] = [];
  const rest = right[Symbol.iterator]();
  let next = rest.next();
  for (const item of left) {
    while (!next.done && compare(next.value, item) < 0) {
      merged.push(next.value);
      next = rest.next();
    }
    merged.push(item);
    // Checking the clock for each item would cost more than merging it.
    if (merged.length % RUN_LENGTH === 0) await yieldToEventLoop();
  }
  for (; !next.done; next = rest.next()) merged.push(next.value);
  return merged;
}

/** Why a visit stopped early. */
interface VisitRefusal {
  readonly kind: 'timeout' | 'cancelled';
}

interface SlicedVisit {
  readonly queue: FairQueue;
  /** The caller whose turns the slices take. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal | undefined;
  /** In the time of `elapsedMs`. */
  readonly deadline: number;
  /** Monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
}

/**
 * Visits things in slices that take turns with other work, and yields null after each. A refusal is the last item. The
 * reader's time between two slices does not count towards the deadline.
 */
export async function* visitBySlice<T>(
  things: Iterator<T, unknown>,
  visit: (thing: T) => void,
  { queue, onBehalfOf, signal, deadline: firstDeadline, elapsedMs }: SlicedVisit,
): AsyncGenerator<VisitRefusal | null, void> {
  let deadline = firstDeadline;
  for (let isDone = false; !isDone; ) {
    await waitInQueue(queue, onBehalfOf, deadline - elapsedMs(), signal);
    if (signal?.aborted) return yield { kind: 'cancelled' };
    if (elapsedMs() >= deadline) return yield { kind: 'timeout' };
    const sliceEnd = Math.min(elapsedMs() + SLICE_MS, deadline);
    do {
      const next = things.next();
      if (next.done) isDone = true;
      else visit(next.value);
    } while (!isDone && elapsedMs() < sliceEnd);
    const handedOver = elapsedMs();
    yield null;
    deadline += elapsedMs() - handedOver;
  }
}

/** Null if everything was visited; otherwise the reason why not. */
export async function visitInSlices<T>(
  ...visit: Parameters<typeof visitBySlice<T>>
): Promise<VisitRefusal | null> {
  for await (const refusal of visitBySlice(...visit)) if (refusal !== null) return refusal;
  return null;
}

/** Runs transactions one at a time. Returns or throws what `work` does. */
export type Mutex = <T>(work: () => Promise<T> | T) => Promise<T>;

export function makeMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    // A failed transaction does not stop the next one.
    last = result.catch(() => undefined);
    return result;
  };
}
