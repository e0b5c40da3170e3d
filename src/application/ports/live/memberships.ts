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
  /** When the filter was last evaluated; unchanged while it is degraded. */
  readonly evaluatedAt: EpochMs;
  /** In no order. */
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
 * Null for a filter without a feed, because it is unknown, out of reach or was never evaluated. A deleted filter's feed
 * stays for a time, without further changes.
 */
export interface Memberships {
  /**
   * Keeps the filter's members from the next evaluation on. False if it is unknown or out of reach. In this port, a
   * partner-wide filter needs the whole partner in reach.
   */
  watch(scope: AccessScope, filterId: FilterId): Promise<boolean>;
  /** Freezes the members until the filter is watched again, and removes its timers. */
  unwatch(scope: AccessScope, filterId: FilterId): Promise<void>;
  members(scope: AccessScope, filterId: FilterId): Promise<MemberSnapshot | null>;
  /**
   * The changes after `seq`, or the last `limit` kept ones if `after` is null. `expired` if some are no longer kept, or
   * if no change has that number yet.
   */
  changes(
    scope: AccessScope,
    filterId: FilterId,
    after: number | null,
    limit: number,
  ): Promise<ChangePage | 'expired' | null>;
  /**
   * The watched filters that the device is a member of, and since when: its entry, or the first evaluation if it
   * already matched.
   */
  membershipsOf(scope: AccessScope, deviceId: DeviceId): Promise<ReadonlyMap<FilterId, EpochMs>>;
  /** Partners whose watched filters may need an evaluation. */
  waiting(now: EpochMs): Promise<readonly PartnerId[]>;
  /**
   * The number of each feed's last change; 0 without any. Only for the service itself, which knows that the filters are
   * in reach.
   */
  heads(filterIds: readonly FilterId[]): Promise<ReadonlyMap<FilterId, number>>;
  /** Members at these ascending instants. Before the first kept change, the number just before it. */
  counts(
    scope: AccessScope,
    filterId: FilterId,
    instants: readonly EpochMs[],
  ): Promise<readonly MemberCount[] | null>;
  /** Members as of the change numbered `seq`. Also null if some later changes are no longer kept. */
  countAt(scope: AccessScope, filterId: FilterId, seq: number): Promise<number | null>;
  /**
   * Calls `wake` soon after devices were marked or members may have changed. Also poll, because a call may be lost.
   * Returns a function that stops listening.
   */
  listen(news: LiveNews, wake: () => void): () => void;
  /**
   * Removes changes before `keptFrom`, and all but the last `keptCount` of each filter. Returns their number. Removes
   * the whole feed of a deleted filter that was last evaluated before `keptFrom`.
   */
  forget(keptFrom: EpochMs, keptCount: number): Promise<number>;
  /**
   * Runs `work` as the partner's only evaluation, in one transaction. If it throws, everything is rolled back and the
   * marks stay. Null, with no effect, if another evaluation of the partner is running or interferes.
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
  /** Identifies the filter's version and the custom fields at the evaluation. */
  readonly understoodAs: string;
  readonly isDegraded: boolean;
  /** Devices may have changed without a mark, such as while the filter was not watched. */
  readonly isInterrupted: boolean;
}

/**
 * Every change of a device adds a mark in each organization concerned, in its own transaction. A new report or contact
 * may add none (`setReads`).
 */
export interface DeviceMark {
  readonly orgId: OrgId;
  readonly deviceId: DeviceId;
  readonly kind: MarkKind;
}

/** What an organization's watched filters read. */
export interface FilterReads {
  /** Keys of fields. */
  readonly fields: ReadonlySet<string>;
  /**
   * A new report or contact does not matter if the device was last seen less than this many milliseconds before the
   * last evaluation. Infinity: if it was ever seen. Null: it never matters.
   */
  readonly silence: number | null;
}

export interface MembershipTimer {
  readonly filterId: FilterId;
  readonly deviceId: DeviceId;
}

/** One evaluation of a partner's watched filters. Reads see its own writes. */
export interface MembershipEvaluation {
  /** The instant of the partner's last evaluation. */
  readonly lastAt: EpochMs | null;
  /** Call it before any other write. */
  setInstant(at: EpochMs): void;
  /** The partner's organizations. */
  readonly orgIds: readonly OrgId[];
  /** All marks so far. They are removed when the evaluation commits; marks of later changes stay. */
  takeMarks(): Promise<readonly DeviceMark[]>;
  /**
   * The `nextRevision` of the evaluation that last read `watched`; call it after `takeMarks`. Null if watched filters,
   * their evaluations or custom fields have changed since and must be read again.
   */
  revision(): string | null;
  readonly nextRevision: string;
  /** The watched filters of the partner and its organizations. */
  watched(): Promise<readonly WatchedFilter[]>;
  /** Due at `now`. They are removed when the evaluation commits. */
  takeDueTimers(now: EpochMs): Promise<readonly MembershipTimer[]>;
  /** Those that apply in the organization, or in any of the partner's. */
  definitions(owner: Owner): Promise<readonly CustomFieldDefinition[]>;
  /** As `SavedFilterReader.withInner`. From then on, an edit of any of these counts as one of a watched filter. */
  withInner(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** Those in the partner's organizations. */
  devices(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, Device>>;
  devicesOf(orgId: OrgId): AsyncIterable<Device>;
  membersOf(filterId: FilterId): Promise<ReadonlySet<DeviceId>>;
  /** The filters that each device is a member of. */
  filtersWith(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, ReadonlySet<FilterId>>>;
  /** Null removes the timer. An earlier timer may stay. */
  setTimer(filter: SavedFilter, deviceId: DeviceId, at: EpochMs | null): void;
  /** Begins the filter's feed with these members, without a change. */
  begin(filter: SavedFilter, members: readonly DeviceId[], understoodAs: string): void;
  /** Adds the event to the feed with the next number, and applies it to the members. */
  append(filter: SavedFilter, event: MembershipEvent): void;
  setEvaluated(filter: SavedFilter, evaluated: Pick<EvaluatedFilter, 'understoodAs' | 'isDegraded'>): void;
  /**
   * From then on, changes that do not affect these reads add no mark. This evaluation's devices may lack software,
   * patches and networks that are not read.
   */
  setReads(orgId: OrgId, reads: FilterReads): void;
}
