/**
 * Batches pieces of work that take less time than their trip to the database. While a tenant's batches run,
 * its new pieces wait for the next batch, which takes them from each caller in turn.
 */

export interface Piece {
  readonly caller: string;
  readonly expectedMs: number;
}

export interface BatchLimits {
  readonly atOnce: number;
  readonly size: number;
  /** The maximum sum of `expectedMs` in a batch. A single piece may exceed it. */
  readonly expectedMs: number;
}

/**
 * Waits for what the batch needs, such as a connection, then calls `take` to get the pieces that have
 * arrived. The function must call `take` even if the wait fails, and must never reject.
 */
export type RunBatch<P extends Piece> = (tenant: string, take: () => readonly P[]) => Promise<void>;

/** `queues` maps each waiting caller to its pieces. The first caller is served next. */
interface TenantState<P> {
  readonly queues: Map<string, P[]>;
  waiting: number;
  underWay: number;
  /** True from when a batch begins until it has taken its pieces. */
  isGathering: boolean;
}

export class Batches<P extends Piece> {
  readonly #limits: BatchLimits;
  readonly #run: RunBatch<P>;
  readonly #tenants = new Map<string, TenantState<P>>();

  constructor(limits: BatchLimits, run: RunBatch<P>) {
    this.#limits = limits;
    this.#run = run;
  }

  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#tenants.values()) sum += waiting;
    return sum;
  }

  get remembered(): number {
    return this.#tenants.size;
  }

  waitingOf(tenant: string, caller: string): { readonly ofTenant: number; readonly ofCaller: number } {
    const state = this.#tenants.get(tenant);
    return { ofTenant: state?.waiting ?? 0, ofCaller: state?.queues.get(caller)?.length ?? 0 };
  }

  add(tenant: string, piece: P): void {
    const state = this.#stateOf(tenant);
    const queue = state.queues.get(piece.caller);
    if (queue === undefined) state.queues.set(piece.caller, [piece]);
    else queue.push(piece);
    state.waiting++;
    this.#begin(tenant, state);
  }

  /** False if a batch has already taken the piece. */
  withdraw(tenant: string, piece: P): boolean {
    const state = this.#tenants.get(tenant);
    const queue = state?.queues.get(piece.caller);
    const index = queue?.indexOf(piece) ?? -1;
    if (state === undefined || queue === undefined || index === -1) return false;
    queue.splice(index, 1);
    if (queue.length === 0) state.queues.delete(piece.caller);
    state.waiting--;
    return true;
  }

  #stateOf(tenant: string): TenantState<P> {
    const known = this.#tenants.get(tenant);
    if (known !== undefined) return known;
    const state: TenantState<P> = { queues: new Map(), waiting: 0, underWay: 0, isGathering: false };
    this.#tenants.set(tenant, state);
    return state;
  }

  #begin(tenant: string, state: TenantState<P>): void {
    if (state.waiting === 0 || state.isGathering || state.underWay >= this.#limits.atOnce) return;
    state.underWay++;
    state.isGathering = true;
    const take = () => {
      const taken = this.#take(state);
      state.isGathering = false;
      this.#begin(tenant, state);
      return taken;
    };
    void this.#run(tenant, take).then(() => {
      state.underWay--;
      this.#begin(tenant, state);
      if (state.underWay === 0) this.#tenants.delete(tenant);
    });
  }

  #take(state: TenantState<P>): readonly P[] {
    const taken: P[] = [];
    let expectedMs = 0;
    while (taken.length < this.#limits.size) {
      const [first] = state.queues;
      if (first === undefined) break;
      const [caller, queue] = first;
      const [next] = queue;
      if (next === undefined) throw new Error('a caller without waiting pieces was kept');
      if (taken.length > 0 && expectedMs + next.expectedMs > this.#limits.expectedMs) break;
      taken.push(next);
      expectedMs += next.expectedMs;
      queue.shift();
      state.queues.delete(caller);
      if (queue.length > 0) state.queues.set(caller, queue);
    }
    state.waiting -= taken.length;
    return taken;
  }
}
