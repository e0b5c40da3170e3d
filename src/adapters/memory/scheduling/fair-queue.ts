/**
 * Whose slice of work comes next. Callers take turns, however many pieces of work each has waiting, and between
 * two slices the event loop goes round once.
 */
export class Turns {
  /** Who waits, the next to be served first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isPumping = false;

  /** Calls `go` when the caller's turn has come; of one caller, in the order of the calls. */
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
