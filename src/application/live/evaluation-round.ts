/** Evaluates watched filters, changed devices and due timers, and stores what has changed. */
import { makeEndSlice } from '#application/in-slices.ts';
import type { DeviceMark, MembershipEvaluation, WatchedFilter } from '#application/ports/live/memberships.ts';
import type { Device } from '#domain/device/device.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { ChangeCause } from '#domain/membership/membership-change.ts';
import type { EpochMs } from '#domain/time.ts';
import type { LiveFilter, UnderstoodFilters } from './understood-filters.ts';

/** A filter to evaluate on every device of its owner. */
interface Complete {
  readonly live: LiveFilter;
  /** Null for the first evaluation. */
  readonly cause: ChangeCause | null;
  readonly members: DeviceId[];
  /** Former members that the loop over the devices has not met yet. */
  readonly gone: Set<DeviceId>;
}

interface Begun {
  readonly partnerId: PartnerId;
  readonly filters: UnderstoodFilters;
  readonly at: EpochMs;
  readonly marks: readonly DeviceMark[];
}

/** Milliseconds after which other work gets its turn. */
const SLICE_MS = 5;

/** One evaluation, at one instant. */
export class Round {
  readonly #evaluation: MembershipEvaluation;
  readonly #partnerId: PartnerId;
  readonly #filters: UnderstoodFilters;
  readonly #at: EpochMs;
  readonly #marks: readonly DeviceMark[];
  readonly #endSlice = makeEndSlice(SLICE_MS);

  constructor(evaluation: MembershipEvaluation, { partnerId, filters, at, marks }: Begun) {
    this.#evaluation = evaluation;
    this.#partnerId = partnerId;
    this.#filters = filters;
    this.#at = at;
    this.#marks = marks;
  }

  /** Evaluates on all devices each filter whose last evaluation is no longer valid. */
  async evaluateWatched(watched: readonly WatchedFilter[], isSetBack: boolean): Promise<void> {
    const all: Complete[] = [];
    for (const one of watched) {
      const complete = await this.#prepare(one, isSetBack);
      if (complete !== null) all.push(complete);
    }
    for (const orgId of all.length === 0 ? [] : this.#evaluation.orgIds) {
      const here = all.filter(({ live }) => (live.filter.orgId ?? orgId) === orgId);
      if (here.length > 0) await this.#meetAll(orgId, here);
    }
    await this.#endAll(all);
  }

  /** Null if the last evaluation is still valid, or the filter cannot be evaluated. */
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

  async #meetAll(orgId: OrgId, here: readonly Complete[]): Promise<void> {
    for await (const device of this.#evaluation.devicesOf(orgId)) {
      for (const { live, cause, members, gone } of here) {
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
  }

  async #endAll(all: readonly Complete[]): Promise<void> {
    const ids = new Set(all.flatMap(({ gone }) => [...gone]));
    const elsewhere = await this.#evaluation.devices([...ids]);
    for (const { live, cause, members, gone } of all) {
      const { filter } = live;
      const { understoodAs } = this.#filters.understood(filter.id);
      for (const id of gone) {
        const device = elsewhere.get(id) ?? null;
        this.#leave(live, id, device, device === null ? this.#causeOfEnd(id, filter.orgId) : 'moved');
      }
      if (cause === null) this.#evaluation.begin(filter, members, understoodAs);
      else this.#evaluation.setEvaluated(filter, { understoodAs, isDegraded: false });
    }
  }

  /** Why the device has left the organization, or the partner if `orgId` is null. */
  #causeOfEnd(id: DeviceId, orgId: OrgId | null): ChangeCause {
    const kinds = this.#marks
      .filter((mark) => mark.deviceId === id && (orgId ?? mark.orgId) === mark.orgId)
      .map(({ kind }) => kind);
    return kinds.includes('moved') && !kinds.includes('deleted') ? 'moved' : 'deleted';
  }

  async evaluateMarked(): Promise<void> {
    const ids = [...new Set(this.#marks.map(({ deviceId }) => deviceId))];
    const devices = await this.#evaluation.devices(ids);
    const filtersWith = await this.#evaluation.filtersWith(ids);
    const byDevice = Map.groupBy(this.#marks, ({ deviceId }) => deviceId);
    for (const [id, marks] of byDevice) {
      const device = devices.get(id) ?? null;
      const members = filtersWith.get(id) ?? NOTHING;
      for (const { orgId, kind } of marks) {
        const pause = this.#endSlice();
        if (pause !== undefined) await pause;
        const isHere = device?.orgId === orgId;
        const causes: Causes = {
          entered: kind === 'moved' ? 'moved' : 'device',
          left: isHere ? 'device' : kind === 'moved' ? 'moved' : 'deleted',
        };
        this.#evaluateIn(orgId, isHere ? device : null, { id, members, device, causes });
      }
      // For partner-wide filters, a change of organization within the partner is not a move.
      const hasMovedIn = marks.length === 1 && marks[0]?.kind === 'moved';
      const left = device === null ? this.#causeOfEnd(id, null) : 'device';
      const causes: Causes = { entered: hasMovedIn ? 'moved' : 'device', left };
      this.#evaluateIn(this.#partnerId, device, { id, members, device, causes });
    }
  }

  /** Evaluates the owner's filters on the device. `here` is null if the device does not belong to the owner. */
  #evaluateIn(owner: OrgId | PartnerId, here: Device | null, { id, members, device, causes }: Marked): void {
    const looked = new Set<FilterId>();
    for (const live of here === null ? [] : (this.#filters.candidates(owner)?.find(here) ?? [])) {
      const wasMember = members.has(live.filter.id);
      looked.add(live.filter.id);
      this.#look(live, here as Device, wasMember, wasMember ? causes.left : causes.entered);
    }
    for (const filterId of members) {
      const live = looked.has(filterId) ? null : this.#filters.live(filterId);
      if (live === null || (live.filter.orgId ?? live.filter.partnerId) !== owner) continue;
      this.#leave(live, id, device, causes.left);
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
      // Skips degraded filters: when one recovers, its evaluation on all devices sets the timers.
      if (live === null || device === undefined || device.orgId !== (live.filter.orgId ?? device.orgId))
        continue;
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
    this.#evaluation.setTimer(filter, deviceId, null);
    this.#evaluation.append(filter, { type: 'left', deviceId, hostname: device?.hostname ?? null, cause });
  }

  #setTimer({ filter, nextChange }: LiveFilter, device: Device): void {
    if (nextChange !== null) this.#evaluation.setTimer(filter, device.id, nextChange(device, this.#at));
  }
}

interface Causes {
  readonly entered: ChangeCause;
  readonly left: ChangeCause;
}

/** A marked device, its filters, and why it enters or leaves. */
interface Marked {
  readonly id: DeviceId;
  readonly members: ReadonlySet<FilterId>;
  readonly device: Device | null;
  readonly causes: Causes;
}

const NOTHING: ReadonlySet<FilterId> = new Set();
