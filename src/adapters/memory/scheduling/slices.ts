import { type EndSlice, makeEndSlice } from '#application/in-slices.ts';

/**
 * Serves callers in turn, one slice of work at a time, however much work each has queued. The event loop runs once
 * between two slices.
 */
export class FairQueue {
  readonly #waiting = new Map<string, (() => void)[]>();
  #isPumping = false;

  /** Calls of one caller run in order. */
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

/** In milliseconds. Short enough to go unnoticed, even if processing a slice's results takes as long again. */
const SLICE_MS = 5;

/**
 * Between small steps, long work awaits a call of the returned function, which yields to the event loop once
 * a slice is used up.
 */
export function makeYieldToEventLoop(): EndSlice {
  return makeEndSlice(SLICE_MS);
}

/** Runs of this length are sorted without yielding. */
const RUN_LENGTH = 512;

/** `compare` must never return 0. */
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

interface VisitRefusal {
  readonly kind: 'timeout' | 'cancelled';
}

interface SlicedVisit {
  readonly queue: FairQueue;
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal | undefined;
  readonly deadline: number;
  /** Monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
}

/**
 * Yields null after each slice. A refusal is the last item. Time that the reader takes between two slices does not
 * count towards the deadline.
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

/** Null if everything was visited. */
export async function visitInSlices<T>(
  ...visit: Parameters<typeof visitBySlice<T>>
): Promise<VisitRefusal | null> {
  for await (const refusal of visitBySlice(...visit)) if (refusal !== null) return refusal;
  return null;
}

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
