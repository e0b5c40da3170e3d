/** Members of watched filters and their changes (Contract: §17). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { MarkKind, MembershipChange, MembershipEvent } from '#domain/membership/membership-change.ts';
import type { EpochMs } from '#domain/time.ts';

/** The members as of the change numbered `seq`. */
export interface MemberSnapshot {
  readonly seq: number;
  readonly filterVersion: number;
  /** The instant of the last evaluation; it stays while the filter is degraded. */
  readonly evaluatedAt: EpochMs;
  /** Unordered. */
  readonly ids: readonly DeviceId[];
}

export interface ChangePage {
  /** In order, without gaps. */
  readonly changes: readonly MembershipChange[];
  readonly hasMore: boolean;
}

export interface MemberCount {
  readonly at: EpochMs;
  readonly count: number;
}

/** Devices were marked, or members changed. */
export type LiveNews = 'marks' | 'changes';

/**
 * A filter without a feed, because it is unknown, out of reach or never evaluated, is null. A feed outlives its filter for a
 * time, without further changes.
 */
export interface Memberships {
  /**
   * Its members are kept from the next evaluation on. False if the filter is unknown or out of reach. A partner-wide one is
   * only in reach together with the whole partner, here and below.
   */
  watch(scope: AccessScope, filterId: FilterId): Promise<boolean>;
  /** Its members stay as they are until it is watched again. Its timers are forgotten. */
  unwatch(scope: AccessScope, filterId: FilterId): Promise<void>;
  members(scope: AccessScope, filterId: FilterId): Promise<MemberSnapshot | null>;
  /**
   * The changes after `seq`; null: the last `limit` that are kept. Expired: they are no longer all kept, or `seq` was never
   * reached.
   */
  changes(
    scope: AccessScope,
    filterId: FilterId,
    after: number | null,
    limit: number,
  ): Promise<ChangePage | 'expired' | null>;
  /**
   * Since when the device is a member of watched filters: when it entered, or the first evaluation, where it was a member
   * already.
   */
  membershipsOf(scope: AccessScope, deviceId: DeviceId): Promise<ReadonlyMap<FilterId, EpochMs>>;
  /** Partners whose watched filters may have to be evaluated. */
  waiting(now: EpochMs): Promise<readonly PartnerId[]>;
  /**
   * The number of the last change of each of these filters that has a feed; 0 if nothing has changed. For the service
   * itself, which knows that they are in reach.
   */
  heads(filterIds: readonly FilterId[]): Promise<ReadonlyMap<FilterId, number>>;
  /** How many members it had at these instants, in ascending order; before the first kept change, as many as just before it. */
  counts(
    scope: AccessScope,
    filterId: FilterId,
    instants: readonly EpochMs[],
  ): Promise<readonly MemberCount[] | null>;
  /** How many members it had as of the change numbered `seq`. Null also if not all changes after it are kept. */
  countAt(scope: AccessScope, filterId: FilterId, seq: number): Promise<number | null>;
  /**
   * Calls `wake` soon after devices were marked, or members may have changed. This is a hint that may be missing, so look from time
   * to time as well. Returns how to stop listening.
   */
  listen(news: LiveNews, wake: () => void): () => void;
  /**
   * Forgets changes before `keptFrom`, and all but the last `keptCount` of each filter. Returns their number. Of a deleted filter
   * that was last evaluated before `keptFrom`, the whole feed is forgotten.
   */
  forget(keptFrom: EpochMs, keptCount: number): Promise<number>;
  /**
   * Runs `work` as the only evaluation of the partner, in one transaction. If it throws, nothing has happened, and the
   * marks are still there. Null, with nothing done, if another evaluation of the partner is running or was in the way.
   */
  evaluate<T>(
    partnerId: PartnerId,
    work: (evaluation: MembershipEvaluation) => Promise<T>,
  ): Promise<T | null>;
}

export interface WatchedFilter {
  readonly filter: SavedFilter;
  /** Null before the first evaluation. */
  readonly evaluated: EvaluatedFilter | null;
}

/** How a filter was last evaluated. */
export interface EvaluatedFilter {
  /** Names the filter's version and the custom fields that it was understood by. */
  readonly understoodAs: string;
  readonly isDegraded: boolean;
  /** Whether devices may have changed without a mark since, as while it was not watched. */
  readonly isInterrupted: boolean;
}

/**
 * Every change of a device leaves a mark in each organization that it concerns, in its own transaction. A device that is
 * heard again may leave none, see `setReads`.
 */
export interface DeviceMark {
  readonly orgId: OrgId;
  readonly deviceId: DeviceId;
  readonly kind: MarkKind;
}

/** What the watched filters of an organization read. */
export interface FilterReads {
  /** Keys of fields. */
  readonly fields: ReadonlySet<string>;
  /**
   * It does not matter that a device is heard again that was heard less than so many milliseconds before the last
   * evaluation. Infinity: that was heard at all. Null: it never matters.
   */
  readonly silence: number | null;
}

export interface MembershipTimer {
  readonly filterId: FilterId;
  readonly deviceId: DeviceId;
}

/** Reads see the writes of the same evaluation. */
export interface MembershipEvaluation {
  /** The instant of the partner's last evaluation. */
  readonly lastAt: EpochMs | null;
  /** Its instant, before anything else is written. */
  setInstant(at: EpochMs): void;
  /** The partner's organizations. */
  readonly orgIds: readonly OrgId[];
  /** All marks so far. They are gone when the evaluation commits; marks of later changes stay. */
  takeMarks(): Promise<readonly DeviceMark[]>;
  /**
   * After the marks. The `nextRevision` of the evaluation that last read `watched`, as long as watched filters, their
   * evaluations and custom fields are as it left them; null if they have to be read.
   */
  revision(): string | null;
  readonly nextRevision: string;
  /** Watched filters of the partner and its organizations. */
  watched(): Promise<readonly WatchedFilter[]>;
  /** The timers of watched filters that are due at `now`. They are gone when the evaluation commits. */
  takeDueTimers(now: EpochMs): Promise<readonly MembershipTimer[]>;
  /** Custom fields that apply in the organization, or in those of the partner. */
  definitions(owner: Owner): Promise<readonly CustomFieldDefinition[]>;
  /** As `SavedFilterReader.withInner`. An edit of any of them leaves what an edit of a watched filter leaves. */
  withInner(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** Those of the partner's organizations. */
  devices(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, Device>>;
  devicesOf(orgId: OrgId): AsyncIterable<Device>;
  membersOf(filterId: FilterId): Promise<ReadonlySet<DeviceId>>;
  /** The filters of which each of these devices is a member. */
  filtersWith(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, ReadonlySet<FilterId>>>;
  /** An earlier timer may stay. Null removes it. */
  setTimer(filter: SavedFilter, deviceId: DeviceId, at: EpochMs | null): void;
  /** Begins a feed with these members, without a change. */
  begin(filter: SavedFilter, members: readonly DeviceId[], understoodAs: string): void;
  /** Numbers the event, and changes the members by it. */
  append(filter: SavedFilter, event: MembershipEvent): void;
  setEvaluated(filter: SavedFilter, evaluated: Pick<EvaluatedFilter, 'understoodAs' | 'isDegraded'>): void;
  /**
   * From then on, devices need no mark where their changes cannot matter to this, and those of this evaluation may lack the
   * software, patches and networks that it does not read.
   */
  setReads(orgId: OrgId, reads: FilterReads): void;
}
