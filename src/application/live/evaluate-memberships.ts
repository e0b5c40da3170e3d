/** Brings the members of a partner's watched filters up to date (Contract: §17). */
import { makeEndSlice } from '#application/in-slices.ts';
import type { Clock } from '#application/ports/clock.ts';
import type {
  DeviceMark,
  MembershipEvaluation,
  Memberships,
  WatchedFilter,
} from '#application/ports/live/memberships.ts';
import type { Device } from '#domain/device/device.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';
import type { DeviceId, OrgId, PartnerId } from '#domain/ids.ts';
import type { ChangeCause } from '#domain/membership/membership-change.ts';
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';
import { type LiveFilter, UnderstoodFilters } from './understood-filters.ts';

/** Evaluates all that changed so far, and all that time has changed. False if another evaluation is running. */
export type EvaluateMemberships = (partnerId: PartnerId) => Promise<boolean>;

export interface EvaluateMembershipsDeps {
  readonly memberships: Pick<Memberships, 'evaluate'>;
  readonly translatePattern: TranslatePattern;
  readonly clock: Clock;
}

/** A clock set back by less stands still; set back by more, everything is evaluated anew. */
const SMALL_STEP_BACK_MS = MINUTE_MS;

/** Other work on the thread proceeds in between. */
const SLICE_MS = 5;

export function makeEvaluateMemberships(deps: EvaluateMembershipsDeps): EvaluateMemberships {
  const { memberships, clock, translatePattern } = deps;
  const understoodBy = new Map<PartnerId, UnderstoodFilters>();
  return async (partnerId) => {
    const done = await memberships.evaluate(partnerId, async (evaluation) => {
      const { lastAt } = evaluation;
      const isSetBack = lastAt !== null && clock() < lastAt - SMALL_STEP_BACK_MS;
      const at = lastAt === null || isSetBack ? clock() : Math.max(clock(), lastAt);
      evaluation.setInstant(at);
      // Marks are taken before devices are read, so a later change leaves a mark that stays.
      const marks = await evaluation.takeMarks();
      const watched = await evaluation.watched();
      const filters = understoodBy.get(partnerId) ?? new UnderstoodFilters(translatePattern);
      await filters.update(watched, (orgId) => evaluation.definitions(orgId));
      if (filters.isEmpty) understoodBy.delete(partnerId);
      else understoodBy.set(partnerId, filters);
      for (const [orgId, reads] of filters.reads()) evaluation.setReads(orgId, reads);
      const round = new Round(evaluation, filters, at, marks);
      await round.evaluateWatched(watched, isSetBack);
      await round.evaluateMarked();
      await round.evaluateDue();
      return true;
    });
    return done ?? false;
  };
}

/** A filter that is evaluated on all devices of its organization. */
interface Complete {
  readonly live: LiveFilter;
  /** Null for the first evaluation. */
  readonly cause: ChangeCause | null;
  readonly members: DeviceId[];
  /** Former members that have not been met. */
  readonly gone: Set<DeviceId>;
}

/** One evaluation, at one instant. */
class Round {
  readonly #evaluation: MembershipEvaluation;
  readonly #filters: UnderstoodFilters;
  readonly #at: EpochMs;
  readonly #marks: readonly DeviceMark[];
  readonly #endSlice = makeEndSlice(SLICE_MS);

  constructor(
    evaluation: MembershipEvaluation,
    filters: UnderstoodFilters,
    at: EpochMs,
    marks: readonly DeviceMark[],
  ) {
    this.#evaluation = evaluation;
    this.#filters = filters;
    this.#at = at;
    this.#marks = marks;
  }

  /** Evaluates filters on all devices where their last evaluation does not stand. */
  async evaluateWatched(watched: readonly WatchedFilter[], isSetBack: boolean): Promise<void> {
    const byOrg = new Map<OrgId, Complete[]>();
    for (const one of watched) {
      const complete = await this.#prepare(one, isSetBack);
      if (complete === null) continue;
      const { orgId } = one.filter;
      byOrg.set(orgId, [...(byOrg.get(orgId) ?? []), complete]);
    }
    for (const [orgId, complete] of byOrg) await this.#evaluateAll(orgId, complete);
  }

  /** Null if the evaluation stands, or the filter cannot be evaluated. */
  async #prepare({ filter, evaluated }: WatchedFilter, isSetBack: boolean): Promise<Complete | null> {
    const { live, understoodAs } = this.#filters.understood(filter.id);
    if (live === null) {
      if (evaluated === null || evaluated.isDegraded) return null;
      this.#evaluation.append(filter, { type: 'degraded' });
      this.#evaluation.setEvaluated(filter, { understoodAs, isDegraded: true });
      return null;
    }
    if (evaluated === null) return { live, cause: null, members: [], gone: new Set() };
    const isSame = evaluated.understoodAs === understoodAs;
    const stands = isSame && !evaluated.isDegraded && !evaluated.isInterrupted;
    if (stands && !(isSetBack && live.nextChange !== null)) return null;
    if (evaluated.isDegraded) this.#evaluation.append(filter, { type: 'recovered' });
    const gone = new Set(await this.#evaluation.membersOf(filter.id));
    return { live, cause: isSame ? (isSetBack ? 'time' : 'device') : 'filter', members: [], gone };
  }

  async #evaluateAll(orgId: OrgId, complete: readonly Complete[]): Promise<void> {
    for await (const device of this.#evaluation.devicesOf(orgId)) {
      for (const { live, cause, members, gone } of complete) {
        const pause = this.#endSlice();
        if (pause !== undefined) await pause;
        if (cause !== null) {
          this.#look(live, device, gone.delete(device.id), cause);
          continue;
        }
        if (live.matches(device, this.#at)) members.push(device.id);
        this.#setTimer(live, device);
      }
    }
    const ids = new Set(complete.flatMap(({ gone }) => [...gone]));
    const elsewhere = await this.#evaluation.devices([...ids]);
    const moved = new Set(
      this.#marks.flatMap((mark) => (mark.kind === 'moved' && mark.orgId === orgId ? [mark.deviceId] : [])),
    );
    for (const { live, cause, members, gone } of complete) {
      const { filter } = live;
      const { understoodAs } = this.#filters.understood(filter.id);
      for (const id of gone) {
        const hasMoved = elsewhere.has(id) || moved.has(id);
        this.#leave(live, id, elsewhere.get(id) ?? null, hasMoved ? 'moved' : 'deleted');
      }
      if (cause === null) this.#evaluation.begin(filter, members, understoodAs);
      else this.#evaluation.setEvaluated(filter, { understoodAs, isDegraded: false });
    }
  }

  async evaluateMarked(): Promise<void> {
    const ids = [...new Set(this.#marks.map(({ deviceId }) => deviceId))];
    const devices = await this.#evaluation.devices(ids);
    const filtersWith = await this.#evaluation.filtersWith(ids);
    for (const { orgId, deviceId, kind } of this.#marks) {
      const pause = this.#endSlice();
      if (pause !== undefined) await pause;
      const device = devices.get(deviceId) ?? null;
      const isHere = device?.orgId === orgId;
      const candidates = isHere ? (this.#filters.candidates(orgId)?.find(device) ?? []) : [];
      const members = new Set(filtersWith.get(deviceId));
      for (const live of candidates) {
        const wasMember = members.delete(live.filter.id);
        this.#look(live, device as Device, wasMember, kind === 'moved' && !wasMember ? 'moved' : 'device');
      }
      for (const id of members) {
        const live = this.#filters.live(id);
        if (live?.filter.orgId !== orgId) continue;
        this.#leave(live, deviceId, device, isHere ? 'device' : kind === 'moved' ? 'moved' : 'deleted');
      }
    }
  }

  async evaluateDue(): Promise<void> {
    const timers = await this.#evaluation.takeDueTimers(this.#at);
    const ids = [...new Set(timers.map(({ deviceId }) => deviceId))];
    const devices = await this.#evaluation.devices(ids);
    const filtersWith = await this.#evaluation.filtersWith(ids);
    for (const { filterId, deviceId } of timers) {
      const pause = this.#endSlice();
      if (pause !== undefined) await pause;
      const live = this.#filters.live(filterId);
      const device = devices.get(deviceId);
      // Without a filter that can be evaluated, a later evaluation of all devices sets the timer anew.
      if (live === null || device === undefined || device.orgId !== live.filter.orgId) continue;
      this.#look(live, device, filtersWith.get(deviceId)?.has(filterId) ?? false, 'time');
    }
  }

  #look(live: LiveFilter, device: Device, wasMember: boolean, cause: ChangeCause): void {
    const isMember = live.matches(device, this.#at);
    this.#setTimer(live, device);
    if (isMember === wasMember) return;
    const { id: deviceId, hostname } = device;
    const type = isMember ? 'entered' : 'left';
    this.#evaluation.append(live.filter, { type, deviceId, hostname, cause });
  }

  #leave({ filter }: LiveFilter, deviceId: DeviceId, device: Device | null, cause: ChangeCause): void {
    this.#evaluation.setTimer(filter.id, deviceId, null);
    this.#evaluation.append(filter, { type: 'left', deviceId, hostname: device?.hostname ?? null, cause });
  }

  #setTimer({ filter, nextChange }: LiveFilter, device: Device): void {
    if (nextChange !== null) this.#evaluation.setTimer(filter.id, device.id, nextChange(device, this.#at));
  }
}
