import { makeSavedFilterReader } from '#adapters/memory/stores/fleet/saved-filter-store.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceMark, MembershipEvaluation } from '#application/ports/live/memberships.ts';
import type { Device } from '#domain/device/device.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { MembershipChange, MembershipEvent } from '#domain/membership/membership-change.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Feed } from './live-table.ts';

/** A change without its instant, which is set at commit. */
type Numbered = MembershipEvent & Pick<MembershipChange, 'seq' | 'filterVersion'>;

/** The evaluation writes nothing before `commit`. */
export function stageEvaluation(
  world: World,
  partnerId: PartnerId,
  customFields: CustomFieldSource,
): { evaluation: MembershipEvaluation; commit(): void } {
  const { live, devices, filters, organizations, evaluatedAt } = world;
  const orgIds = new Set<OrgId>();
  for (const { id, partnerId: of } of organizations.values()) if (of === partnerId) orgIds.add(id);
  const feeds = new Map<FilterId, Feed>();
  const added = new Map<FilterId, Numbered[]>();
  const members = new Map<DeviceId, Map<FilterId, boolean>>();
  const timers = new Map<FilterId, Map<DeviceId, EpochMs | null>>();
  let marks: readonly DeviceMark[] = [];
  let at = evaluatedAt.get(partnerId) ?? null;

  const feedOf = (id: FilterId): Feed => {
    const feed = feeds.get(id) ?? live.feeds.get(id);
    if (feed === undefined) throw new Error(`filter ${id} has no feed`);
    return feed;
  };
  const liveFilter = (id: FilterId): SavedFilter | null => {
    const filter = filters.get(id);
    if (filter === undefined || live.feeds.get(id)?.isWatched !== true) return null;
    const isCovered = filter.orgId === null ? filter.partnerId === partnerId : orgIds.has(filter.orgId);
    return isCovered ? filter : null;
  };
  const setMember = (filterId: FilterId, deviceId: DeviceId, isMember: boolean) => {
    const changed = members.get(deviceId) ?? new Map<FilterId, boolean>();
    members.set(deviceId, changed.set(filterId, isMember));
  };
  const setTimer = (filterId: FilterId, deviceId: DeviceId, due: EpochMs | null) => {
    const changed = timers.get(filterId) ?? new Map<DeviceId, EpochMs | null>();
    timers.set(filterId, changed.set(deviceId, due));
  };
  const evaluation: MembershipEvaluation = {
    lastAt: at,
    orgIds: [...orgIds],
    nextRevision: '',
    // Null makes every evaluation read the filters again, because edits of filters leave no mark in memory.
    revision: () => null,
    setInstant(instant: EpochMs) {
      at = instant;
    },
    async watched() {
      return [...live.feeds].flatMap(([id, { evaluated }]) => {
        const filter = liveFilter(id);
        return filter === null ? [] : [{ filter, evaluated }];
      });
    },
    async takeMarks() {
      marks = live.marksIn(orgIds);
      return marks;
    },
    async takeDueTimers(now) {
      const due = live.dueTimers(now, (id) => liveFilter(id) !== null);
      for (const { filterId, deviceId } of due) setTimer(filterId, deviceId, null);
      return due;
    },
    definitions: (owner) =>
      customFields(owner.kind === 'organization' ? owner : { ...owner, orgIds: [...orgIds], isWhole: true }),
    withInner: (scope, ids) => makeSavedFilterReader(world).withInner(scope, ids),
    async devices(ids) {
      const found = new Map<DeviceId, Device>();
      for (const id of ids) {
        const device = devices.get(id);
        if (device !== undefined && orgIds.has(device.orgId)) found.set(id, device);
      }
      return found;
    },
    async *devicesOf(orgId) {
      yield* devices.snapshot([orgId]);
    },
    async membersOf(filterId) {
      const ids = new Set(live.members.get(filterId)?.keys());
      for (const [deviceId, changed] of members) {
        const isMember = changed.get(filterId);
        if (isMember === true) ids.add(deviceId);
        else if (isMember === false) ids.delete(deviceId);
      }
      return ids;
    },
    async filtersWith(ids) {
      return new Map(
        ids.map((id) => {
          const with_ = new Set(live.filtersWith.get(id));
          for (const [filterId, isMember] of members.get(id) ?? []) {
            if (isMember) with_.add(filterId);
            else with_.delete(filterId);
          }
          return [id, with_];
        }),
      );
    },
    setTimer: ({ id }, deviceId, due) => setTimer(id, deviceId, due),
    begin({ id, version }: SavedFilter, ids, understoodAs) {
      for (const deviceId of ids) setMember(id, deviceId, true);
      const evaluated = { understoodAs, isDegraded: false, isInterrupted: false };
      feeds.set(id, { ...feedOf(id), filterVersion: version, evaluated });
    },
    append({ id, version }, event) {
      const feed = feedOf(id);
      if (event.type === 'entered' || event.type === 'left') {
        setMember(id, event.deviceId, event.type === 'entered');
      }
      const seq = feed.seq + 1;
      const events = added.get(id) ?? [];
      events.push({ ...event, seq, filterVersion: version });
      added.set(id, events);
      feeds.set(id, { ...feed, seq, filterVersion: version });
    },
    setEvaluated({ id, version }, evaluated) {
      const now = { ...evaluated, isInterrupted: false };
      feeds.set(id, { ...feedOf(id), filterVersion: version, evaluated: now });
    },
    // Not needed: in memory every change leaves a mark.
    setReads: () => undefined,
  };
  return { evaluation, commit };

  function commit(): void {
    if (at === null) throw new Error('the evaluation has no instant');
    const now = at;
    for (const [id, feed] of feeds) {
      for (const event of added.get(id) ?? []) feed.changes.push({ ...event, at: now });
      live.feeds.set(id, feed);
    }
    for (const [id, feed] of live.feeds) {
      if (liveFilter(id) === null || feed.evaluated?.isDegraded !== false) continue;
      live.feeds.set(id, { ...feed, evaluatedAt: now });
    }
    for (const [deviceId, changed] of members) {
      for (const [filterId, isMember] of changed) live.setMember(filterId, deviceId, isMember ? now : null);
    }
    for (const [filterId, changed] of timers) {
      for (const [deviceId, due] of changed) live.setTimer(filterId, deviceId, due);
    }
    live.removeMarks(marks);
    evaluatedAt.set(partnerId, now);
  }
}
