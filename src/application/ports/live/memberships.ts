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
  /** Ordered by `seq`, without gaps. */
  readonly changes: readonly MembershipChange[];
  readonly hasMore: boolean;
}

export interface MemberCount {
  readonly at: EpochMs;
  readonly count: number;
}

/** `marks`: a `DeviceMark` was added. `changes`: members may have changed. */
export type LiveNews = 'marks' | 'changes';

/**
 * Methods return null for a filter without a feed: it is unknown, out of reach or was never evaluated. A deleted
 * filter's feed stays for a time, without further changes.
 */
export interface Memberships {
  /**
   * Maintains the filter's members from the next evaluation on. False if it is unknown or out of reach. In
   * this port, a partner-wide filter is in reach only if the whole partner is.
   */
  watch(scope: AccessScope, filterId: FilterId): Promise<boolean>;
  /** Freezes the members until the filter is watched again, and removes its timers. */
  unwatch(scope: AccessScope, filterId: FilterId): Promise<void>;
  members(scope: AccessScope, filterId: FilterId): Promise<MemberSnapshot | null>;
  /**
   * The first `limit` changes numbered above `after`. If `after` is null, the last `limit` changes that are
   * kept. `expired` if a change above `after` is no longer kept, or if no change has the number `after` yet.
   */
  changes(
    scope: AccessScope,
    filterId: FilterId,
    after: number | null,
    limit: number,
  ): Promise<ChangePage | 'expired' | null>;
  /**
   * The watched filters that the device is a member of, each with the instant when it entered. If it already
   * matched at the filter's first evaluation, this is the instant of that evaluation.
   */
  membershipsOf(scope: AccessScope, deviceId: DeviceId): Promise<ReadonlyMap<FilterId, EpochMs>>;
  /** Partners whose watched filters may need an evaluation. */
  waiting(now: EpochMs): Promise<readonly PartnerId[]>;
  /**
   * The number of each feed's last change; 0 without any. Takes no scope, so the caller must know that the filters are
   * in reach.
   */
  heads(filterIds: readonly FilterId[]): Promise<ReadonlyMap<FilterId, number>>;
  /**
   * The number of members at each of these ascending instants. An instant before the first kept change gets
   * the number just before that change.
   */
  counts(
    scope: AccessScope,
    filterId: FilterId,
    instants: readonly EpochMs[],
  ): Promise<readonly MemberCount[] | null>;
  /**
   * The number of members just after change `seq`. Also null if that change does not exist yet, or if later
   * changes are no longer kept.
   */
  countAt(scope: AccessScope, filterId: FilterId, seq: number): Promise<number | null>;
  /**
   * Calls `wake` soon after the news, but a call may be lost, so the caller must also poll. Returns a
   * function that stops listening.
   */
  listen(news: LiveNews, wake: () => void): () => void;
  /**
   * Removes changes before `keptFrom`, and all but the last `keptCount` of each filter. Returns their number. Also
   * removes the whole feed of a deleted filter that was last evaluated before `keptFrom`.
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
  /**
   * True if devices may have changed without a mark, for example while the filter was not watched. All devices
   * must then be evaluated.
   */
  readonly isInterrupted: boolean;
}

/**
 * A device that has changed. The same transaction adds the mark in each affected organization that has
 * watched filters. A new report or contact may add none (`setReads`).
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
   * In milliseconds. A report or contact of a device adds a mark only if, at the last evaluation, the device had been
   * silent for this long. With `Infinity`, only the first report or contact adds a mark. With null, none does.
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
  /** Sets the instant of this evaluation. Call it before any other write. */
  setInstant(at: EpochMs): void;
  readonly orgIds: readonly OrgId[];
  /** All marks so far. They are removed when the evaluation commits; marks of later changes stay. */
  takeMarks(): Promise<readonly DeviceMark[]>;
  /**
   * Tells whether the last result of `watched` is still valid. If so, returns the `nextRevision` of the evaluation that
   * read it. Null if watched filters, their evaluations or custom fields may have changed. Call it after `takeMarks`.
   */
  revision(): string | null;
  readonly nextRevision: string;
  /** The watched filters of the partner and its organizations. */
  watched(): Promise<readonly WatchedFilter[]>;
  /** Timers that are due at `now`. They are removed when the evaluation commits. */
  takeDueTimers(now: EpochMs): Promise<readonly MembershipTimer[]>;
  /** Custom fields that apply in the organization, or in any organization of the partner. */
  definitions(owner: Owner): Promise<readonly CustomFieldDefinition[]>;
  /**
   * As `SavedFilterReader.withInner`. After an edit of a returned filter, the next evaluation must read
   * `watched` again (`revision`).
   */
  withInner(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** Leaves out devices outside the partner's organizations. */
  devices(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, Device>>;
  devicesOf(orgId: OrgId): AsyncIterable<Device>;
  membersOf(filterId: FilterId): Promise<ReadonlySet<DeviceId>>;
  filtersWith(ids: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, ReadonlySet<FilterId>>>;
  /** Null removes the timer. An existing timer may stay if it is due earlier. */
  setTimer(filter: SavedFilter, deviceId: DeviceId, at: EpochMs | null): void;
  /** Begins the filter's feed with these members, without adding a change. */
  begin(filter: SavedFilter, members: readonly DeviceId[], understoodAs: string): void;
  /** Adds the event to the feed with the next number, and applies it to the members. */
  append(filter: SavedFilter, event: MembershipEvent): void;
  setEvaluated(filter: SavedFilter, evaluated: Pick<EvaluatedFilter, 'understoodAs' | 'isDegraded'>): void;
  /**
   * After the commit, changes that do not affect these reads add no mark. Devices that this evaluation returns may lack
   * software, patches and networks that are not read.
   */
  setReads(orgId: OrgId, reads: FilterReads): void;
}
