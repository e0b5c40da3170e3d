/**
 * Shares a fixed number of units (requests at once, bytes in memory) among tenants, then among the callers of
 * each tenant. Claims beyond a share wait in fair order and are refused after a while. So a flood delays only
 * the caller and tenant that cause it (Contract: §1, `rate_limited`).
 */

/** `tenant` names an organization, a partner, the platform or a network. */
export interface Claimant {
  readonly tenant: string;
  readonly caller: string;
}

export interface ShareLimits {
  readonly total: number;
  /** Less than `total`, so no tenant can hold all units; if `total` is 1, also 1. */
  readonly perTenant: number;
  readonly perCaller: number;
  /** A caller with this many waiting claims is refused further ones at once. */
  readonly maxWaitingPerCaller: number;
  readonly maxWaitingPerTenant: number;
  readonly maxWaitMs: number;
  readonly slow?: SlowLimits;
}

/**
 * Gives fewer units to tenants that hold them for long. Held units cannot be taken back, so each claim's time
 * beyond `afterMs` is added to its tenant's slow time. Half a second of slow time wears off per second.
 */
export interface SlowLimits {
  /** Shorter claims add no slow time. */
  readonly afterMs: number;
  /** Up to this much slow time, a tenant keeps its whole share. Slow time is capped at five times this. */
  readonly allowanceMs: number;
  /** The share of a tenant whose slow time exceeds the allowance; at least 1 unit. */
  readonly perTenant: number;
}

/** One millisecond of slow time wears off in this many milliseconds. */
const WEAR_OFF = 2;
const MAX_ALLOWANCES = 5;

/** Gives the units back; calling it again does nothing. */
export type Release = () => void;

export type ClaimOutcome =
  | { readonly kind: 'granted'; readonly release: Release }
  /** Too many claims of the caller or tenant are waiting, or this one waited too long. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'cancelled' };

interface Waiter extends Claimant {
  readonly units: number;
  readonly settle: (outcome: ClaimOutcome) => void;
}

/** `queues` maps each waiting caller to its claims. The first caller is served next. */
interface TenantState {
  held: number;
  waiting: number;
  readonly heldByCaller: Map<string, number>;
  readonly queues: Map<string, Waiter[]>;
}

/** Units of one resource in this process, shared by tenant and then by caller. */
export class FairShare {
  readonly #limits: ShareLimits;
  readonly #now: () => number;
  /** The first tenant is served next. */
  readonly #tenants = new Map<string, TenantState>();
  /** The time at which each tenant's slow time will have worn off. */
  readonly #slowUntil = new Map<string, number>();
  #held = 0;
  #waiting = 0;

  /** `now` is in milliseconds and monotonic. */
  constructor(limits: ShareLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get held(): number {
    return this.#held;
  }

  /** Tenants in memory; 0 when nothing is held or waiting and no tenant was slow recently. */
  get remembered(): number {
    return this.#tenants.size + this.#slowUntil.size;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** A claim larger than the whole share of its caller or tenant is reduced to that share. */
  claim(claimant: Claimant, units: number, signal?: AbortSignal): Promise<ClaimOutcome> {
    if (signal?.aborted === true) return Promise.resolve({ kind: 'cancelled' });
    const capped = Math.min(units, this.#limits.perCaller, this.#limits.perTenant);
    const state = this.#stateOf(claimant.tenant);
    if (!state.queues.has(claimant.caller) && this.#fits(state, claimant, capped)) {
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

  /** Counts units that are already in use, even beyond the share. Later claims wait until they are released. */
  charge(claimant: Claimant, units: number): Release {
    return this.#hold(claimant, units);
  }

  #wait(claimant: Claimant, units: number, signal: AbortSignal | undefined): Promise<ClaimOutcome> {
    const { promise, resolve } = Promise.withResolvers<ClaimOutcome>();
    const settle = (outcome: ClaimOutcome) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const waiter: Waiter = { ...claimant, units, settle };
    const giveUp = (outcome: ClaimOutcome) => {
      if (this.#forget(waiter)) settle(outcome);
    };
    const timer = setTimeout(() => giveUp({ kind: 'refused' }), this.#limits.maxWaitMs);
    timer.unref();
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
      state = { held: 0, waiting: 0, heldByCaller: new Map(), queues: new Map() };
      this.#tenants.set(tenant, state);
    }
    return state;
  }

  #fits(state: TenantState, { tenant, caller }: Claimant, units: number): boolean {
    const { total, perTenant, perCaller } = this.#limits;
    return (
      this.#held + units <= total &&
      state.held + units <= perTenant &&
      (state.heldByCaller.get(caller) ?? 0) + units <= perCaller &&
      !this.#isTooSlow(tenant, state.held, units)
    );
  }

  #isTooSlow(tenant: string, held: number, units: number): boolean {
    const { slow } = this.#limits;
    if (slow === undefined || held === 0 || held + units <= slow.perTenant) return false;
    const wearsOffIn = (this.#slowUntil.get(tenant) ?? 0) - this.#now();
    return wearsOffIn > slow.allowanceMs * WEAR_OFF;
  }

  #addSlowTime(tenant: string, turnMs: number): void {
    const { slow } = this.#limits;
    if (slow === undefined || turnMs <= slow.afterMs) return;
    const now = this.#now();
    for (const [known, until] of this.#slowUntil) if (until <= now) this.#slowUntil.delete(known);
    const until = (this.#slowUntil.get(tenant) ?? now) + (turnMs - slow.afterMs) * WEAR_OFF;
    this.#slowUntil.set(tenant, Math.min(until, now + MAX_ALLOWANCES * slow.allowanceMs * WEAR_OFF));
  }

  #hold({ tenant, caller }: Claimant, units: number): Release {
    const state = this.#stateOf(tenant);
    this.#held += units;
    state.held += units;
    state.heldByCaller.set(caller, (state.heldByCaller.get(caller) ?? 0) + units);
    const begunAt = this.#now();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#addSlowTime(tenant, this.#now() - begunAt);
      this.#held -= units;
      state.held -= units;
      const left = (state.heldByCaller.get(caller) ?? units) - units;
      if (left === 0) state.heldByCaller.delete(caller);
      else state.heldByCaller.set(caller, left);
      this.#serveWaiting();
      this.#dropIfIdle(tenant, state);
    };
  }

  /** A served tenant moves behind the other tenants, and a served caller behind the tenant's other callers. */
  #serveWaiting(): void {
    let hasServed = true;
    while (hasServed && this.#waiting > 0) {
      hasServed = false;
      for (const [tenant, state] of [...this.#tenants]) {
        if (state.waiting === 0 || !this.#serveOne(state)) continue;
        hasServed = true;
        this.#tenants.delete(tenant);
        this.#tenants.set(tenant, state);
      }
    }
  }

  #serveOne(state: TenantState): boolean {
    for (const [caller, queue] of state.queues) {
      const [next] = queue;
      if (next === undefined || !this.#fits(state, next, next.units)) continue;
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

  /** False if the claim was granted already. */
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
    if (state.held === 0 && state.waiting === 0) this.#tenants.delete(tenant);
  }
}
