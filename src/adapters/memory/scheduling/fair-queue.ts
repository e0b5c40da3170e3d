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
