/** Members of watched filters and their changes (Contract: §17). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { MarkKind, MembershipChange, MembershipEvent } from '#domain/membership/membership-change.ts';
import type { EpochMs } from '#domain/time.ts';

/** As of the change numbered `seq`. */
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

/** `marks`: devices were marked. `changes`: members changed. */
export type LiveNews = 'marks' | 'changes';

/**
 * Null for a filter without a feed: it is unknown, out of reach or was never evaluated. A feed outlives its filter
 * for a time, without further changes.
 */
export interface Memberships {
  /**
   * Keeps the filter's members from the next evaluation on. False if the filter is unknown or out of reach. A
   * partner-wide filter is only in reach of callers who reach the whole partner, here and below.
   */
  watch(scope: AccessScope, filterId: FilterId): Promise<boolean>;
  /** Members stay as they are until the filter is watched again. Its timers are forgotten. */
  unwatch(scope: AccessScope, filterId: FilterId): Promise<void>;
  members(scope: AccessScope, filterId: FilterId): Promise<MemberSnapshot | null>;
  /**
   * The changes after `seq`; null: the last `limit` kept ones. Expired: not all of them are kept, or `seq` was never
   * reached.
   */
  changes(
    scope: AccessScope,
    filterId: FilterId,
    after: number | null,
    limit: number,
  ): Promise<ChangePage | 'expired' | null>;
  /** By watched filter: when the device entered, or the first evaluation if it already matched then. */
  membershipsOf(scope: AccessScope, deviceId: DeviceId): Promise<ReadonlyMap<FilterId, EpochMs>>;
  /** Partners whose watched filters may need an evaluation. */
  waiting(now: EpochMs): Promise<readonly PartnerId[]>;
  /**
   * The number of each feed's last change; 0 if nothing has changed. For the service itself, which knows that the
   * filters are in reach.
   */
  heads(filterIds: readonly FilterId[]): Promise<ReadonlyMap<FilterId, number>>;
  /**
   * Numbers of members at these ascending instants. Before the first kept change, the number is that just before it.
   */
  counts(
    scope: AccessScope,
    filterId: FilterId,
    instants: readonly EpochMs[],
  ): Promise<readonly MemberCount[] | null>;
  /** The number of members as of the change numbered `seq`. Also null if not all later changes are kept. */
  countAt(scope: AccessScope, filterId: FilterId, seq: number): Promise<number | null>;
  /**
   * Calls `wake` soon after devices were marked or members may have changed. A call may be missing, so look from time
   * to time as well. Returns a function that stops listening.
   */
  listen(news: LiveNews, wake: () => void): () => void;
  /**
   * Forgets changes before `keptFrom`, and all but the last `keptCount` of each filter. Returns their number. The
   * whole feed is forgotten of a deleted filter that was last evaluated before `keptFrom`.
   */
  forget(keptFrom: EpochMs, keptCount: number): Promise<number>;
  /**
   * Runs `work` as the only evaluation of the partner, in one transaction. If it throws, nothing has happened, and
   * the marks stay. Null, with nothing done, if another evaluation of the partner runs or got in the way.
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

export interface EvaluatedFilter {
  /** Names the filter's version and the custom fields at that time. */
  readonly understoodAs: string;
  readonly isDegraded: boolean;
  /** Devices may have changed since without a mark, as while the filter was not watched. */
  readonly isInterrupted: boolean;
}

/**
 * Every change of a device leaves a mark in each organization that it concerns, in the change's own transaction. A
 * device that is heard again may leave none (`setReads`).
 */
export interface DeviceMark {
  readonly orgId: OrgId;
  readonly deviceId: DeviceId;
  readonly kind: MarkKind;
}

/** The fields that an organization's watched filters read. */
export interface FilterReads {
  /** Keys of fields. */
  readonly fields: ReadonlySet<string>;
  /**
   * Hearing a device again does not matter if it was heard less than this many milliseconds before the last
   * evaluation. Infinity: if it was heard at all. Null: it never matters.
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
  /** Call it before any other write. */
  setInstant(at: EpochMs): void;
  /** The partner's organizations. */
  readonly orgIds: readonly OrgId[];
  /** All marks so far. They go when the evaluation commits; marks of later changes stay. */
  takeMarks(): Promise<readonly DeviceMark[]>;
  /**
   * Call it after `takeMarks`. The `nextRevision` of the evaluation that last read `watched`, while watched filters,
   * their evaluations and custom fields are unchanged; null if they must be read again.
   */
  revision(): string | null;
  readonly nextRevision: string;
  /** Watched filters of the partner and its organizations. */
  watched(): Promise<readonly WatchedFilter[]>;
  /** The timers that are due at `now`. They go when the evaluation commits. */
  takeDueTimers(now: EpochMs): Promise<readonly MembershipTimer[]>;
  /** Custom fields that apply in the organization, or in the partner's organizations. */
  definitions(owner: Owner): Promise<readonly CustomFieldDefinition[]>;
  /** As `SavedFilterReader.withInner`. An edit of any of them counts as an edit of a watched filter. */
  withInner(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** Devices of the partner's organizations. */
  devices(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, Device>>;
  devicesOf(orgId: OrgId): AsyncIterable<Device>;
  membersOf(filterId: FilterId): Promise<ReadonlySet<DeviceId>>;
  /** The filters of which each device is a member. */
  filtersWith(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, ReadonlySet<FilterId>>>;
  /** An earlier timer may stay. Null removes it. */
  setTimer(filter: SavedFilter, deviceId: DeviceId, at: EpochMs | null): void;
  /** Begins a feed with these members, without a change. */
  begin(filter: SavedFilter, members: readonly DeviceId[], understoodAs: string): void;
  /** Numbers the event, and applies it to the members. */
  append(filter: SavedFilter, event: MembershipEvent): void;
  setEvaluated(filter: SavedFilter, evaluated: Pick<EvaluatedFilter, 'understoodAs' | 'isDegraded'>): void;
  /**
   * From then on, devices need no mark if their changes do not matter to these reads. Devices of this evaluation may
   * lack software, patches and networks that are not read.
   */
  setReads(orgId: OrgId, reads: FilterReads): void;
}
