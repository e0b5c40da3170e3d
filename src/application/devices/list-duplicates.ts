/** Lists devices that are probably one machine (GET /devices/duplicates; Contract: §10). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import { type ApplicationError, INVALID_CURSOR } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { toApplicationError } from '#application/filters/evaluate/run-preview.ts';
import { toPage } from '#application/page.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import { workFor } from '#application/work-for.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceRow } from '#domain/device/device-row.ts';
import { DEFAULT_DEVICE_SORT } from '#domain/device/device-sort.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { Condition, ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { understandCondition } from '#domain/filter/conditions/understand-condition.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import {
  compareDuplicates,
  type DuplicateGroup,
  type DuplicatePosition,
  type DuplicateSign,
  findDuplicates,
} from '#domain/inventory/find-duplicates.ts';
import { err, ok, type Result } from '#domain/result.ts';

export interface DuplicateQuery {
  readonly orgId: OrgId | null;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface Duplicates {
  /** The surest group comes first. Each group has at least two devices, sorted by hostname. */
  readonly groups: readonly {
    readonly devices: readonly DeviceRow[];
    readonly because: readonly DuplicateSign[];
  }[];
  readonly nextCursor: string | null;
}

/** Errors: `not_found` for the organization, `invalid_cursor`, `filter_timeout`. */
export type ListDuplicates = (
  call: Call,
  query: DuplicateQuery,
) => Promise<Result<Duplicates, ApplicationError>>;

/**
 * A page may have hundreds of groups, so each lists at most this many devices. Once these are merged, the
 * group lists others.
 */
const MOST_LISTED_OF_GROUP = 50;

interface ListDuplicatesDeps {
  readonly deviceReader: Pick<DeviceReader, 'keySharers' | 'page'>;
  readonly narrowReach: NarrowReach;
  readonly cursors: CursorSigner;
  readonly clock: Clock;
}

export function makeListDuplicates({
  deviceReader,
  narrowReach,
  cursors,
  clock,
}: ListDuplicatesDeps): ListDuplicates {
  return async (call, { orgId, limit, cursor }) => {
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const boundTo = JSON.stringify(['duplicates', call.caller.userId, orgId]);
    const after = cursor === null ? null : readPosition(cursors, cursor, boundTo);
    if (cursor !== null && after === null) return err(INVALID_CURSOR);
    const sharers = await deviceReader.keySharers({ scope: scope.value, ...workFor(call) });
    if (!sharers.ok) return err(toApplicationError(sharers.error));
    const left = findDuplicates(sharers.value).filter(
      (group) => after === null || compareDuplicates(group, after) > 0,
    );
    const { items, next } = toPage(left, limit, ({ rank, firstId }) => [rank, firstId]);
    const rows = await readRows(deviceReader, call, scope.value, items, clock());
    if (!rows.ok) return rows;
    const groups = items.map(({ ids, because }) => {
      const listed = new Set(ids);
      return { devices: rows.value.filter(({ id }) => listed.has(id)), because };
    });
    return ok({
      // Devices deleted meanwhile may leave a group of one.
      groups: groups.filter(({ devices }) => devices.length > 1),
      nextCursor: next === null ? null : cursors.seal(JSON.stringify(next), boundTo),
    });
  };
}

function readPosition(cursors: CursorSigner, cursor: string, boundTo: string): DuplicatePosition | null {
  const text = cursors.open(cursor, boundTo);
  if (text === null) return null;
  const [rank, firstId] = JSON.parse(text);
  return { rank, firstId };
}

async function readRows(
  deviceReader: Pick<DeviceReader, 'page'>,
  call: Call,
  scope: AccessScope,
  groups: readonly DuplicateGroup[],
  at: number,
): Promise<Result<readonly DeviceRow[], ApplicationError>> {
  const ids = groups.flatMap((group) => group.ids.slice(0, MOST_LISTED_OF_GROUP));
  if (ids.length === 0) return ok([]);
  const found = await deviceReader.page({
    ...{ filter: withIds(ids), scope, at, ...workFor(call) },
    ...{
      sort: DEFAULT_DEVICE_SORT,
      limit: ids.length,
      after: null,
      offset: 0,
      withCount: false,
      columns: [],
    },
  });
  return found.ok ? ok(found.value.devices) : err(toApplicationError(found.error));
}

function withIds(ids: readonly DeviceId[]): ConditionGroup {
  const entry = CORE_CATALOG.get('id');
  const criterion = entry?.kind === 'field' ? understandCondition(entry.field, 'in', ids) : null;
  if (criterion?.ok !== true) throw new Error('ids of devices are no UUIDs');
  const condition = { ...criterion.value, operator: 'in', value: ids } as Condition;
  return { kind: 'group', operator: 'AND', conditions: [condition] };
}
