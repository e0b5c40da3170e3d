/** Watched filters, their members and changes, and the marks that changed devices leave. */
import type {
  DeviceMark,
  EvaluatedFilter,
  LiveNews,
  MembershipTimer,
} from '#application/ports/live/memberships.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import { joinMarks, type MarkKind, type MembershipChange } from '#domain/membership/membership-change.ts';
import type { EpochMs } from '#domain/time.ts';

export interface Feed extends Pick<SavedFilter, 'orgId' | 'partnerId'> {
  readonly isWatched: boolean;
  readonly evaluated: EvaluatedFilter | null;
  readonly filterVersion: number;
  /** The sequence number of the last change. */
  readonly seq: number;
  /** Does not advance while the filter is degraded. */
  readonly evaluatedAt: EpochMs;
  /** Oldest first. Only the commit of an evaluation adds to them. */
  readonly changes: MembershipChange[];
}

interface KeptTimer extends MembershipTimer {
  readonly at: EpochMs;
}

export class LiveTable {
  readonly feeds = new Map<FilterId, Feed>();
  readonly filtersWith = new Map<DeviceId, Set<FilterId>>();
  /** The instant since which each device has been a member, by filter. */
  readonly members = new Map<FilterId, Map<DeviceId, EpochMs>>();
  readonly #timers = new Map<string, KeptTimer>();
  /** No timer is due before this. */
  #firstDue: EpochMs = Infinity;
  readonly #marks = new Map<OrgId, Map<DeviceId, MarkKind>>();
  /** Since when a mark has been waiting, by the monotonic clock; null if none is. */
  #markedSince: number | null = null;

  readonly wakers: Readonly<Record<LiveNews, Set<() => void>>> = { marks: new Set(), changes: new Set() };
  readonly #partnerOf: (orgId: OrgId) => PartnerId | undefined;
  /** Organizations and partners with watched filters. */
  #watching: ReadonlySet<OrgId | PartnerId | null> = new Set();

  constructor(partnerOf: (orgId: OrgId) => PartnerId | undefined) {
    this.#partnerOf = partnerOf;
  }

  /** From now on, devices in the filter's organizations are marked when they change. */
  watchFilter({ id, orgId, partnerId }: SavedFilter): void {
    const feed = this.feeds.get(id) ?? { orgId, partnerId, ...NEW_FEED, changes: [] };
    this.feeds.set(id, { ...feed, isWatched: true });
    this.#findWatching();
  }

  unwatchFilter(filterId: FilterId): void {
    const feed = this.feeds.get(filterId);
    if (feed === undefined) return;
    const { evaluated } = feed;
    const interrupted = evaluated === null ? null : { ...evaluated, isInterrupted: true };
    this.feeds.set(filterId, { ...feed, isWatched: false, evaluated: interrupted });
    this.forgetTimers(filterId);
    this.#findWatching();
  }

  #findWatching(): void {
    const watched = this.feeds.values().filter(({ isWatched }) => isWatched);
    this.#watching = new Set(watched.map(({ orgId, partnerId }) => orgId ?? partnerId));
    for (const orgId of this.#marks.keys()) if (!this.#isMarked(orgId)) this.#marks.delete(orgId);
  }

  #isMarked(orgId: OrgId): boolean {
    return this.#watching.has(orgId) || this.#watching.has(this.#partnerOf(orgId) ?? null);
  }

  mark(orgId: OrgId, deviceId: DeviceId, kind: MarkKind): void {
    if (!this.#isMarked(orgId)) return;
    const marks = this.#marks.get(orgId) ?? new Map<DeviceId, MarkKind>();
    this.#marks.set(orgId, marks);
    marks.set(deviceId, joinMarks(marks.get(deviceId), kind));
    this.#markedSince ??= performance.now();
    this.announce('marks');
  }

  announce(news: LiveNews): void {
    for (const wake of this.wakers[news]) wake();
  }

  backlog(now: EpochMs) {
    return {
      membershipMarks: this.#countMarks(),
      oldestMarkAge: this.#markedSince === null ? 0 : performance.now() - this.#markedSince,
      dueTimers: this.dueTimers(now, () => true).length,
      membershipChanges: [...this.feeds.values()].reduce((sum, { seq }) => sum + seq, 0),
    };
  }

  #countMarks(): number {
    return [...this.#marks.values()].reduce((sum, { size }) => sum + size, 0);
  }

  marksIn(orgIds: ReadonlySet<OrgId>): readonly DeviceMark[] {
    return [...this.#marks].flatMap(([orgId, marks]) =>
      orgIds.has(orgId) ? [...marks].map(([deviceId, kind]) => ({ orgId, deviceId, kind })) : [],
    );
  }

  removeMarks(marks: readonly DeviceMark[]): void {
    for (const { orgId, deviceId } of marks) this.#marks.get(orgId)?.delete(deviceId);
    if (this.#countMarks() === 0) this.#markedSince = null;
  }

  setTimer(filterId: FilterId, deviceId: DeviceId, at: EpochMs | null): void {
    const key = `${filterId} ${deviceId}`;
    if (at === null) this.#timers.delete(key);
    else {
      this.#timers.set(key, { filterId, deviceId, at });
      this.#firstDue = Math.min(this.#firstDue, at);
    }
  }

  dueTimers(now: EpochMs, isLive: (filterId: FilterId) => boolean): readonly MembershipTimer[] {
    if (now < this.#firstDue) return [];
    const timers = [...this.#timers.values()];
    this.#firstDue = timers.reduce((first, { at }) => Math.min(first, at), Infinity);
    return timers.filter(({ filterId, at }) => at <= now && isLive(filterId));
  }

  forgetTimers(filterId: FilterId): void {
    for (const [key, timer] of this.#timers) if (timer.filterId === filterId) this.#timers.delete(key);
  }

  forgetFeed(filterId: FilterId): void {
    for (const id of this.members.get(filterId)?.keys().toArray() ?? []) this.setMember(filterId, id, null);
    this.forgetTimers(filterId);
    this.feeds.delete(filterId);
    this.#findWatching();
  }

  /** `since` is null if the device left. A device that is already a member keeps its instant. */
  setMember(filterId: FilterId, deviceId: DeviceId, since: EpochMs | null): void {
    const members = this.members.get(filterId) ?? new Map<DeviceId, EpochMs>();
    const filters = this.filtersWith.get(deviceId) ?? new Set<FilterId>();
    if (since === null) {
      members.delete(deviceId);
      filters.delete(filterId);
    } else {
      members.set(deviceId, members.get(deviceId) ?? since);
      filters.add(filterId);
    }
    keepFull(this.members, filterId, members);
    keepFull(this.filtersWith, deviceId, filters);
  }
}

const NEW_FEED = { evaluated: null, filterVersion: 0, seq: 0, evaluatedAt: 0 };

function keepFull<K, V extends { readonly size: number }>(all: Map<K, V>, key: K, value: V): void {
  if (value.size > 0) all.set(key, value);
  else all.delete(key);
}
