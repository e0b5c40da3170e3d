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
 * Answers null for a filter without a feed, because it is unknown, out of reach or was never evaluated. A deleted
 * filter's feed stays for a time, without further changes.
 */
export interface Memberships {
  /**
   * Keeps the filter's members from the next evaluation on. False if the filter is unknown or out of reach. In this
   * port, a partner-wide filter is in reach only of callers who reach the whole partner.
   */
  watch(scope: AccessScope, filterId: FilterId): Promise<boolean>;
  /** Freezes the members until the filter is watched again, and removes its timers. */
  unwatch(scope: AccessScope, filterId: FilterId): Promise<void>;
  members(scope: AccessScope, filterId: FilterId): Promise<MemberSnapshot | null>;
  /**
   * Returns the changes after `seq`, or the last `limit` kept ones if `after` is null. `expired` if some of them are
   * no longer kept, or if no change has that number yet.
   */
  changes(
    scope: AccessScope,
    filterId: FilterId,
    after: number | null,
    limit: number,
  ): Promise<ChangePage | 'expired' | null>;
  /**
   * The watched filters that the device is a member of, with the instant when it entered. If it already matched at
   * the first evaluation, that is the instant.
   */
  membershipsOf(scope: AccessScope, deviceId: DeviceId): Promise<ReadonlyMap<FilterId, EpochMs>>;
  /** Partners whose watched filters may need an evaluation. */
  waiting(now: EpochMs): Promise<readonly PartnerId[]>;
  /**
   * The number of each feed's last change; 0 if nothing has changed. Only for the service itself, which knows that
   * the filters are in reach.
   */
  heads(filterIds: readonly FilterId[]): Promise<ReadonlyMap<FilterId, number>>;
  /**
   * How many members there were at these ascending instants. For instants before the first kept change, the number
   * just before that change.
   */
  counts(
    scope: AccessScope,
    filterId: FilterId,
    instants: readonly EpochMs[],
  ): Promise<readonly MemberCount[] | null>;
  /**
   * How many members there were as of the change numbered `seq`. Also null if some later changes are no longer kept.
   */
  countAt(scope: AccessScope, filterId: FilterId, seq: number): Promise<number | null>;
  /**
   * Calls `wake` soon after devices were marked or members may have changed. Also poll from time to time, because a
   * call may be lost. Returns a function that stops listening.
   */
  listen(news: LiveNews, wake: () => void): () => void;
  /**
   * Removes changes before `keptFrom`, and all but the last `keptCount` of each filter, and returns how many. Removes
   * the whole feed of a deleted filter that was last evaluated before `keptFrom`.
   */
  forget(keptFrom: EpochMs, keptCount: number): Promise<number>;
  /**
   * Runs `work` as the partner's only evaluation, in one transaction. If it throws, everything is rolled back and the
   * marks stay. Returns null, with no effect, if another evaluation of the partner is running or interferes.
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
  /** Identifies the filter's version and the custom fields at the time of the evaluation. */
  readonly understoodAs: string;
  readonly isDegraded: boolean;
  /** True if devices may have changed without a mark, for example while the filter was not watched. */
  readonly isInterrupted: boolean;
}

/**
 * Every change of a device adds a mark in each organization concerned, in the same transaction. A new report or
 * contact may add none (`setReads`).
 */
export interface DeviceMark {
  readonly orgId: OrgId;
  readonly deviceId: DeviceId;
  readonly kind: MarkKind;
}

/** What an organization's watched filters read. */
export interface FilterReads {
  /** The keys of the fields. */
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
  /** When the partner's last evaluation was. */
  readonly lastAt: EpochMs | null;
  /** Call this before any other write. */
  setInstant(at: EpochMs): void;
  /** The partner's organizations. */
  readonly orgIds: readonly OrgId[];
  /** Returns all marks so far. They are removed when the evaluation commits; marks of later changes stay. */
  takeMarks(): Promise<readonly DeviceMark[]>;
  /**
   * Call this after `takeMarks`. Returns the `nextRevision` of the evaluation that last read `watched`. Null if
   * watched filters, their evaluations or custom fields have changed since and must be read again.
   */
  revision(): string | null;
  readonly nextRevision: string;
  /** The watched filters of the partner and its organizations. */
  watched(): Promise<readonly WatchedFilter[]>;
  /** Returns the timers that are due at `now`. They are removed when the evaluation commits. */
  takeDueTimers(now: EpochMs): Promise<readonly MembershipTimer[]>;
  /** Custom fields that apply in the organization, or in any organization of the partner. */
  definitions(owner: Owner): Promise<readonly CustomFieldDefinition[]>;
  /**
   * As `SavedFilterReader.withInner`. From then on, an edit of any of these counts as an edit of a watched filter.
   */
  withInner(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** Those of the devices that belong to the partner's organizations. */
  devices(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, Device>>;
  devicesOf(orgId: OrgId): AsyncIterable<Device>;
  membersOf(filterId: FilterId): Promise<ReadonlySet<DeviceId>>;
  /** For each device, the filters that it is a member of. */
  filtersWith(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, ReadonlySet<FilterId>>>;
  /** Null removes the timer. An earlier timer may stay. */
  setTimer(filter: SavedFilter, deviceId: DeviceId, at: EpochMs | null): void;
  /** Begins the filter's feed with these members, without adding a change. */
  begin(filter: SavedFilter, members: readonly DeviceId[], understoodAs: string): void;
  /** Adds the event to the feed with the next number, and applies it to the members. */
  append(filter: SavedFilter, event: MembershipEvent): void;
  setEvaluated(filter: SavedFilter, evaluated: Pick<EvaluatedFilter, 'understoodAs' | 'isDegraded'>): void;
  /**
   * From then on, changes that do not affect these reads add no mark. The devices of this evaluation may lack
   * software, patches and networks that are not read.
   */
  setReads(orgId: OrgId, reads: FilterReads): void;
}
