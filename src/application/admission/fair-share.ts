/**
 * Shares a resource among tenants first and among the callers of a tenant second: units of a fixed total (requests
 * at once, bytes in flight), turns in fair order, and an end to waiting. Whoever floods waits behind themselves and
 * is refused; everybody else goes past (Contract: §1, `rate_limited`).
 */
import { Deadlines } from '#application/deadlines.ts';
import { type SlowLimits, SlowTime } from './slow-time.ts';

/** Who asks: the tenant (an organization, a partner, the platform, or a network), and the caller within it. */
export interface Claimant {
  readonly tenant: string;
  readonly caller: string;
}

/** How much there is, and who may hold or wait for how much of it. */
export interface ShareLimits {
  /** Units in all. */
  readonly total: number;
  /** Units that one tenant may hold; less than `total`, so that no tenant can hold everything. */
  readonly perTenant: number;
  /** Units that one caller may hold. */
  readonly perCaller: number;
  /** Claims of one caller that may wait; the next is refused at once. */
  readonly maxWaitingPerCaller: number;
  /** Claims of one tenant that may wait. */
  readonly maxWaitingPerTenant: number;
  /** Milliseconds that a claim may wait; then it is refused. */
  readonly maxWaitMs: number;
  /** How a tenant is held to less whose turns last long; absent: it is not. */
  readonly slow?: SlowLimits;
}

/** Gives the units back; calling it again does nothing. */
export type Release = () => void;

/** Whether the units are there; `release` gives them back. */
export type ClaimOutcome =
  | { readonly kind: 'granted'; readonly release: Release }
  /** The claimant's share, or their tenant's, is used up, and so is what may wait for it. */
  | { readonly kind: 'refused' }
  /** The signal was aborted while the claim waited. */
  | { readonly kind: 'cancelled' };

interface Waiter extends Claimant {
  readonly units: number;
  readonly settle: (outcome: ClaimOutcome) => void;
}

/** What a tenant holds, and who of it waits: callers in the order of their turns. */
interface TenantState {
  held: number;
  waiting: number;
  readonly heldByCaller: Map<string, number>;
  readonly queues: Map<string, Waiter[]>;
  /** Null where nobody asks how long turns last. */
  readonly slowTime: SlowTime | null;
}

/** Who holds what of one resource, in this process. */
export class FairShare {
  readonly #limits: ShareLimits;
  readonly #now: () => number;
  /** Tenants that hold or wait, in the order of their turns, and those that were slow of late. */
  readonly #tenants = new Map<string, TenantState>();
  readonly #ends = new Deadlines();
  #held = 0;
  #waiting = 0;

  /** `now` never steps, in milliseconds. */
  constructor(limits: ShareLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Units held at present. */
  get held(): number {
    return this.#held;
  }

  /** Tenants that hold, wait, or were slow of late. */
  get remembered(): number {
    return this.#tenants.size;
  }

  /** Claims that wait at present. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Units, at once or after a wait. A claim beyond the caller's or the tenant's share is capped to it: it is granted
   * when nothing else of theirs is in flight.
   */
  claim(claimant: Claimant, units: number, signal?: AbortSignal): Promise<ClaimOutcome> {
    if (signal?.aborted === true) return Promise.resolve({ kind: 'cancelled' });
    const capped = Math.min(units, this.#limits.perCaller, this.#limits.perTenant);
    const state = this.#stateOf(claimant.tenant);
    if (!state.queues.has(claimant.caller) && this.#fits(state, claimant.caller, capped)) {
      return Promise.resolve({ kind: 'granted', release: this.#hold(claimant, capped) });
    }
    if (
      state.waiting >= this.#limits.maxWaitingPerTenant ||
      (state.queues.get(claimant.caller)?.length ?? 0) >= this.#limits.maxWaitingPerCaller
    ) {
      return Promise.resolve({ kind: 'refused' });
    }
    return this.#wait(claimant, capped, signal);
  }

  /** Takes units that are in use already, beyond any share if need be; who asks next waits until they are back. */
  charge(claimant: Claimant, units: number): Release {
    return this.#hold(claimant, units);
  }

  #wait(claimant: Claimant, units: number, signal: AbortSignal | undefined): Promise<ClaimOutcome> {
    const { promise, resolve } = Promise.withResolvers<ClaimOutcome>();
    const settle = (outcome: ClaimOutcome) => {
      this.#ends.clear(end);
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const waiter: Waiter = { ...claimant, units, settle };
    const giveUp = (outcome: ClaimOutcome) => {
      if (this.#forget(waiter)) settle(outcome);
    };
    const end = this.#ends.set(performance.now() + this.#limits.maxWaitMs, () => giveUp({ kind: 'refused' }));
    const onAbort = () => giveUp({ kind: 'cancelled' });
    signal?.addEventListener('abort', onAbort, { once: true });
    const state = this.#stateOf(claimant.tenant);
    const queue = state.queues.get(claimant.caller);
    if (queue === undefined) state.queues.set(claimant.caller, [waiter]);
    else queue.push(waiter);
    state.waiting++;
    this.#waiting++;
    return promise;
  }

  #stateOf(tenant: string): TenantState {
    let state = this.#tenants.get(tenant);
    if (state === undefined) {
      const slowTime = this.#limits.slow === undefined ? null : new SlowTime(this.#limits.slow);
      // Those that were kept for the slow time that they had.
      if (slowTime !== null) for (const known of [...this.#tenants]) this.#dropIfIdle(...known);
      state = { held: 0, waiting: 0, heldByCaller: new Map(), queues: new Map(), slowTime };
      this.#tenants.set(tenant, state);
    }
    return state;
  }

  #fits(state: TenantState, caller: string, units: number): boolean {
    const { total, perTenant, perCaller } = this.#limits;
    return (
      this.#held + units <= total &&
      state.held + units <= perTenant &&
      (state.heldByCaller.get(caller) ?? 0) + units <= perCaller &&
      !this.#isTooSlow(state, units)
    );
  }

  /** Whether the tenant's turns last so long that another one has to wait for one of them. */
  #isTooSlow({ held, slowTime }: TenantState, units: number): boolean {
    const { slow } = this.#limits;
    if (slow === undefined || held === 0 || held + units <= slow.perTenant) return false;
    return slowTime?.isBeyond(this.#now()) === true;
  }

  #hold({ tenant, caller }: Claimant, units: number): Release {
    const state = this.#stateOf(tenant);
    this.#held += units;
    state.held += units;
    state.heldByCaller.set(caller, (state.heldByCaller.get(caller) ?? 0) + units);
    const endTurn = state.slowTime?.begin(this.#now());
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      endTurn?.(this.#now());
      this.#held -= units;
      state.held -= units;
      const left = (state.heldByCaller.get(caller) ?? units) - units;
      if (left === 0) state.heldByCaller.delete(caller);
      else state.heldByCaller.set(caller, left);
      this.#serveWaiting();
      this.#dropIfIdle(tenant, state);
    };
  }

  /** Turns in order: a tenant that was served goes behind the others, and so does a caller within it. */
  #serveWaiting(): void {
    let hasServed = true;
    while (hasServed && this.#waiting > 0) {
      hasServed = false;
      const isAlone = this.#tenants.size === 1;
      for (const [tenant, state] of isAlone ? this.#tenants : [...this.#tenants]) {
        if (state.waiting === 0 || !this.#serveOne(state)) continue;
        hasServed = true;
        if (isAlone) continue;
        this.#tenants.delete(tenant);
        this.#tenants.set(tenant, state);
      }
    }
  }

  #serveOne(state: TenantState): boolean {
    for (const [caller, queue] of state.queues) {
      const [next] = queue;
      if (next === undefined || !this.#fits(state, caller, next.units)) continue;
      queue.shift();
      state.waiting--;
      this.#waiting--;
      if (queue.length === 0 || state.queues.size > 1) state.queues.delete(caller);
      if (queue.length > 0) state.queues.set(caller, queue);
      next.settle({ kind: 'granted', release: this.#hold(next, next.units) });
      return true;
    }
    return false;
  }

  /** False where the waiter has had its turn. */
  #forget(waiter: Waiter): boolean {
    const state = this.#tenants.get(waiter.tenant);
    const queue = state?.queues.get(waiter.caller);
    const index = queue?.indexOf(waiter) ?? -1;
    if (state === undefined || queue === undefined || index === -1) return false;
    queue.splice(index, 1);
    if (queue.length === 0) state.queues.delete(waiter.caller);
    state.waiting--;
    this.#waiting--;
    this.#dropIfIdle(waiter.tenant, state);
    return true;
  }

  #dropIfIdle(tenant: string, state: TenantState): void {
    if (state.held > 0 || state.waiting > 0) return;
    if (state.slowTime === null || state.slowTime.isOver(this.#now())) this.#tenants.delete(tenant);
  }
}
