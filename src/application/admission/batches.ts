/**
 * Work so short that going there and back costs more than doing it: what comes of a tenant while a batch of theirs is
 * under way goes into the next one, its callers by turns. Knows nothing of what the work is.
 */

/** A piece of work. */
export interface Piece {
  /** Whose it is within the tenant. */
  readonly caller: string;
  /** Milliseconds. */
  readonly expectedMs: number;
}

export interface BatchLimits {
  /** Batches of one tenant that are under way at once. */
  readonly atOnce: number;
  /** Pieces in a batch. */
  readonly size: number;
  /** Milliseconds that a batch is expected to take at most; a single piece may take longer. */
  readonly expectedMs: number;
}

/**
 * Does a batch: waits for what it needs, then takes the pieces that have come until then, which are none if all have
 * been withdrawn. It must not reject, and take what waits even if there is no place for it.
 */
export type RunBatch<P extends Piece> = (tenant: string, take: () => readonly P[]) => Promise<void>;

/** Who of a tenant waits, callers in the order of their turns. */
interface TenantState<P> {
  readonly queues: Map<string, P[]>;
  waiting: number;
  underWay: number;
  /** Whether a batch that is under way has yet to take its pieces. */
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

  /** Pieces that wait at present. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#tenants.values()) sum += waiting;
    return sum;
  }

  /** Tenants of whom something waits or is under way. */
  get remembered(): number {
    return this.#tenants.size;
  }

  /** How many pieces of the tenant wait, and of this caller among them. */
  waitingOf(tenant: string, caller: string): { readonly ofTenant: number; readonly ofCaller: number } {
    const state = this.#tenants.get(tenant);
    return { ofTenant: state?.waiting ?? 0, ofCaller: state?.queues.get(caller)?.length ?? 0 };
  }

  /** Puts the piece into a batch to come. */
  add(tenant: string, piece: P): void {
    const state = this.#stateOf(tenant);
    const queue = state.queues.get(piece.caller);
    if (queue === undefined) state.queues.set(piece.caller, [piece]);
    else queue.push(piece);
    state.waiting++;
    this.#begin(tenant, state);
  }

  /** Takes the piece back; false where it has been taken by a batch. */
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

  /** A further batch, if anything waits that no other is about to take. */
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

  /** The next of each caller in turn, for as long as the batch stays short. */
  #take(state: TenantState<P>): readonly P[] {
    const taken: P[] = [];
    let expectedMs = 0;
    while (taken.length < this.#limits.size) {
      const [first] = state.queues;
      if (first === undefined) break;
      const [caller, queue] = first;
      const [next] = queue;
      if (next === undefined) throw new Error('a caller of whom nothing waits was kept');
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
