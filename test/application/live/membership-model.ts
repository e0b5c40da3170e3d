/**
 * The law of Contract §17 by machine: after random changes of devices, filters, custom fields and time, and evaluations
 * that are killed anywhere, the members are those of a full evaluation, and the changes lead from one to the next.
 * `MEMBERSHIP_STEPS` sets the number of steps, `MEMBERSHIP_SEED` repeats a run.
 */
import { expect } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Backend } from '#application/backend.ts';
import { loadCatalog } from '#application/filters/check-conditions.ts';
import { readInnerFilters } from '#application/filters/inner-filters.ts';
import { type EvaluateMemberships, makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { MemberSnapshot, Memberships } from '#application/ports/live/memberships.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { mergeDevices } from '#domain/device/merge-devices.ts';
import { withInnerFilters } from '#domain/filter/catalog/field-catalog.ts';
import { namedFilters } from '#domain/filter/catalog/inner-filters.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { CustomFieldRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, FilterId, OrgId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs, HOUR_MS } from '#domain/time.ts';
import {
  aCustomField,
  aDevice,
  anInventory,
  anOrganization,
  aSavedFilter,
  located,
  movableClock,
  newId,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { importInventory, reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const SEED = Number(process.env.MEMBERSHIP_SEED ?? 20261124);
const START = Date.parse('2027-12-20T11:59:59.000Z');
const DEVICES = 14;
/** Steps after which a filter may mean something else. */
const CHANGES_MEANING = new Set([
  ...['createFilter', 'editFilter', 'deleteFilter', 'defineField', 'addOrganization'],
]);

export class Killed extends Error {}

export type Evaluating = Pick<Memberships, 'evaluate'>;

/** A store. `killing` kills an evaluation before or after its call or statement number `countdown`. */
export interface ModelStore {
  readonly backend: Backend;
  readonly killing: (countdown: number, isAfter: boolean) => Evaluating;
  readonly close?: () => Promise<void>;
}

/** A reader that took one snapshot and then follows the changes. */
interface Follower {
  cursor: number;
  readonly members: Set<DeviceId>;
  isDegraded: boolean;
}

interface FilterOwner {
  readonly tenant: Tenant;
  /** Null if it is partner-wide. */
  readonly orgId: OrgId | null;
  /** Whether it may name other filters. */
  readonly isOuter: boolean;
}

function toOwner({ tenant: { partnerId }, orgId }: FilterOwner): Owner {
  return orgId === null ? { kind: 'partner', partnerId } : { kind: 'organization', orgId };
}

type OpenStore = (clock: Clock) => Promise<ModelStore>;

async function openModel(seed: number, openStore: OpenStore) {
  const random = randomFrom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  /** The number of changes between two evaluations differs from model to model. */
  const evaluateShare = pick([0.02, 0.1, 0.25]);
  const { clock, moveTo } = movableClock(START);
  const { backend, killing, close } = await openStore(clock);
  const tenants = [await createTenant(backend, 2), await createTenant(backend)].map((tenant) => {
    return { ...tenant, orgIds: [...tenant.orgIds] };
  });
  const organizations = () => tenants.flatMap((tenant) => tenant.orgIds);
  const ids = Array.from({ length: DEVICES }, () => newId<'device'>());
  const filters = new Map<FilterId, FilterOwner>();
  const watched = new Set<FilterId>();
  const followers = new Map<FilterId, Follower>();
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  const makeEvaluate = (memberships: Evaluating): EvaluateMemberships =>
    makeEvaluateMemberships({ memberships, translatePattern, clock });
  const evaluate = makeEvaluate(backend.memberships);

  const randomInstant = () =>
    pick([
      clock(),
      clock() - Math.floor(random() * 70 * DAY_MS),
      endOfMonth(clock() - 40 * DAY_MS),
      clock() + HOUR_MS,
    ]);

  function randomCondition(): RawCondition {
    const days = pick([0, 1, 2.5, 7, 30]);
    const field = pick(['lastSeenAt', 'enrolledAt']);
    const span = pick([
      { amount: pick([1, 2]), unit: 'months' },
      { amount: pick([1, 1.5, 7, 28]), unit: 'days' },
      { amount: pick([10, 90]), unit: 'minutes' },
    ]);
    return pick<RawCondition>([
      { field, operator: pick(['withinLast', 'notWithinLast']), value: span },
      {
        field: 'daysSinceLastSeen',
        operator: pick(['equals', 'greaterThan', 'lessThan', 'notEquals']),
        value: days,
      },
      { field: 'daysSinceEnrolled', operator: 'between', value: { from: days, to: days + pick([0, 1, 20]) } },
      { field: 'status', operator: pick(['equals', 'notEquals']), value: pick(['online', 'offline']) },
      { field: 'tags', operator: pick(['contains', 'notContains']), value: pick(['vip', 'lab']) },
      { field: 'hostname', operator: 'in', value: ids.slice(0, 5).map((id) => `device-${id}`) },
      { field: 'custom.rack', operator: 'equals', value: 'a1' },
      { field: 'software.installed', operator: 'contains', value: 'chrome' },
      { field: 'patches.pendingTitle', operator: 'contains', value: 'kb1' },
      { field: 'network.ipAddress', operator: 'startsWith', value: '10.' },
      { field: 'metrics.cpuPercent', operator: 'greaterThan', value: 50 },
    ]);
  }
  const reachOf = ({ tenant, orgId }: FilterOwner): AccessScope =>
    orgId === null ? partnerScope(tenant.partnerId, [...tenant.orgIds]) : orgScope(orgId);
  const parseOf = async (owner: FilterOwner, raw: RawGroup) => {
    const scope = reachOf(owner);
    const inner = await readInnerFilters(backend, scope, namedFilters(raw), toOwner(owner));
    const catalog = await loadCatalog(backend.customFields, scope);
    return parseFilter(raw, withInnerFilters(catalog, inner));
  };
  const isGood = async (owner: FilterOwner, raw: RawGroup) =>
    parseOf(owner, raw).then(
      () => true,
      () => false,
    );
  /** What each filter means; null if it means nothing. Only the steps of `CHANGES_MEANING` change it. */
  const meanings = new Map<FilterId, ConditionGroup | null>();
  async function meaningOf(id: FilterId, owner: FilterOwner): Promise<ConditionGroup | null> {
    const known = meanings.get(id);
    if (known !== undefined) return known;
    const filter = await backend.filters.find(reachOf(owner), id);
    if (filter === null) throw new Error('the filter was created');
    const meaning = await parseOf(owner, JSON.parse(filter.conditionsJson)).catch(() => null);
    meanings.set(id, meaning);
    return meaning;
  }
  /** Only filters with `isOuter` name other filters. */
  const randomGroup = ({ tenant, orgId, isOuter }: FilterOwner): RawGroup => {
    const nameable = [...filters].filter(
      ([, other]) => !other.isOuter && other.tenant === tenant && (other.orgId ?? orgId) === orgId,
    );
    const named = { field: 'filter', operator: pick(['equals', 'notEquals']), value: pick(nameable)?.[0] };
    if (isOuter && nameable.length > 0) return pick([and, or])(named, randomCondition());
    const conditions = Array.from({ length: pick([1, 1, 2, 3]) }, () =>
      random() < 0.2 ? pick([and, or])(randomCondition(), randomCondition()) : randomCondition(),
    );
    return pick([and, or])(...conditions);
  };

  const deviceOf = async (id: DeviceId) =>
    (await backend.deviceReader.find(SYSTEM_SCOPE, id))?.device ?? null;
  const rackOf = async (orgId: OrgId): Promise<CustomFieldRecord | null> =>
    (await backend.definedFields.list(orgScope(orgId))).find(({ key }) => key === 'rack') ?? null;

  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    async load() {
      const records = Array.from({ length: pick([1, 1, 2, 6]) }, () => pick(ids)).map((id) =>
        aDevice({
          ...{
            id,
            orgId: pick(organizations()),
            status: pick(['online', 'offline']),
            tags: pick([[], ['vip'], ['lab', 'vip']]),
          },
          ...{
            software: pick([[], [{ name: 'Chrome', version: '130' }]]),
            patches: pick([null, [], [{ id: newId(), title: 'KB1', status: 'pending' as const }]]),
            network: pick([[], [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }]]),
            metrics: { cpuPercent: pick([null, 10, 90]), ramPercent: null, diskPercent: null },
          },
          ...{ inventoryIds: [`agent-${id}`], makesContact: random() < 0.8 },
          ...{ lastSeenAt: pick([randomInstant(), null]), enrolledAt: pick([randomInstant(), null]) },
          custom: new Map(pick<readonly (readonly [string, string])[]>([[], [['rack', 'a1']]])),
        }),
      );
      const unique = new Map(records.map((record) => [record.id, record]));
      const moves = { allowMoves: true };
      const loaded = await backend.fleetWriter(located([...unique.values()]), undefined, undefined, moves);
      expect(loaded.ok).toBe(true);
    },
    async heartbeat() {
      const device = await deviceOf(pick(ids));
      if (device !== null)
        await loadFleet(backend, [aDevice({ ...device, patches: null, lastSeenAt: clock() })]);
    },
    async contact() {
      const device = await deviceOf(pick(ids));
      if (device === null) return;
      const { id, orgId } = device;
      await backend.inventoryStore.contact({ orgId, inventoryId: `agent-${id}`, now: clock() });
    },
    async report() {
      const device = await deviceOf(pick(ids));
      if (device === null) return;
      const { id, orgId, hostname } = device;
      const fields = {
        hostname: pick([hostname, 'renamed']),
        software: pick([[], [{ name: 'Chrome', version: '130' }]]),
        network: pick([[], [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }]]),
      };
      const header = { inventoryId: `agent-${id}`, takenAt: randomInstant() };
      const full = anInventory(fields, header);
      const { hostname: _, software, ...partial } = fields;
      const inventory = pick([
        full,
        { ...full, kind: 'partial' as const, fields: pick([partial, { software }]) },
      ]);
      await pick([importInventory, reportInventory])(backend, orgId, inventory, clock());
    },
    async tag() {
      await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const device = await tx.devices.findForUpdate(pick(ids));
        if (device !== null) await tx.devices.replace({ ...device, tags: pick([[], ['vip'], ['lab']]) });
      });
    },
    async remove() {
      const device = await deviceOf(pick(ids));
      if (device !== null) await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.devices.remove(device));
    },
    async merge() {
      const [one, other] = [pick(ids), pick(ids)];
      await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const [kept, gone] = await tx.devices.findAllForUpdate([one, other]);
        if (kept === undefined || gone === undefined || kept.orgId !== gone.orgId) return;
        await tx.devices.merge(mergeDevices(kept, gone, new Map()));
      });
    },
    async createFilter() {
      const tenant = pick(tenants);
      const { partnerId, userId } = tenant;
      const orgId = random() < 0.3 ? null : pick(tenant.orgIds);
      const filterOwner = { tenant, orgId, isOuter: random() < 0.4 };
      const raw = randomGroup(filterOwner);
      const scope = reachOf(filterOwner);
      if (filters.size >= 12 || !(await isGood(filterOwner, raw))) return;
      const owner = orgId === null ? { orgId, partnerId } : { orgId };
      const filter = aSavedFilter({ ...owner, createdBy: userId, conditionsJson: JSON.stringify(raw) });
      await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
      filters.set(filter.id, filterOwner);
      expect(await backend.memberships.watch(scope, filter.id)).toBe(true);
      watched.add(filter.id);
    },
    async editFilter() {
      const [id, owner] = pick([...filters]) ?? [];
      if (id === undefined || owner === undefined) return;
      const raw = randomGroup(owner);
      if (!(await isGood(owner, raw))) return;
      await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const filter = await tx.filters.findForUpdate(id);
        if (filter === null) throw new Error('the filter was created');
        const conditionsJson = JSON.stringify(raw);
        await tx.filters.replace({ ...filter, conditionsJson, version: filter.version + 1 });
      });
    },
    async deleteFilter() {
      const [id] = pick([...filters]) ?? [];
      if (id === undefined || random() < 0.7) return;
      if ((await backend.filters.relyingOn(SYSTEM_SCOPE, id)).length > 0) return;
      await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.filters.findForUpdate(id);
        await tx.filters.remove(id);
      });
      filters.delete(id);
      watched.delete(id);
    },
    async watch() {
      const [id, owner] = pick([...filters]) ?? [];
      if (id === undefined || owner === undefined || (watched.has(id) && random() < 0.7)) return;
      if (watched.delete(id)) return backend.memberships.unwatch(reachOf(owner), id);
      watched.add(id);
      return backend.memberships.watch(reachOf(owner), id);
    },
    async defineField() {
      const orgId = pick(organizations());
      const known = await rackOf(orgId);
      const owner = { kind: 'organization', orgId } as const;
      await backend.unitOfWork(orgScope(orgId), async (tx) => {
        await tx.customFields.holdFieldsOf(owner);
        if (known !== null) await tx.customFields.remove(known.id);
        else
          await tx.customFields.add(
            aCustomField({ owner, key: 'rack', type: pick(['text', 'text', 'boolean']) }),
          );
      });
    },
    async addOrganization() {
      const tenant = pick(tenants);
      if (tenant.orgIds.length >= 4 || random() < 0.7) return;
      const added = anOrganization({ partnerId: tenant.partnerId });
      await loadFleet(backend, [added]);
      tenant.orgIds.push(added.id);
    },
    async wait() {
      const far = [endOfMonth(clock()), clock() + Math.floor(random() * 10 * DAY_MS)];
      const near = [1, 999, HOUR_MS, 12 * HOUR_MS, DAY_MS - 1].map((ms) => clock() + ms);
      moveTo(pick([...near, ...near, ...far]));
    },
    async setBack() {
      moveTo(clock() - pick([1, 500, 30_000, DAY_MS, 40 * DAY_MS]));
    },
    async kill() {
      const hurt = makeEvaluate(killing(Math.floor(random() * 40), random() < 0.5));
      await expect(hurt(pick(tenants).partnerId)).rejects.toThrow(Killed);
      count('killed');
    },
    async evaluate() {
      for (const { partnerId } of tenants) {
        // A killed evaluation may hold its place until its database notices.
        for (let isDone = false; !isDone; ) {
          isDone = (await Promise.all([evaluate(partnerId), evaluate(partnerId)])).includes(true);
        }
      }
      for (const id of watched) await expectExact(id);
    },
  };

  for (let i = 0; i < 8; i++) {
    await steps.load?.();
    await steps.createFilter?.();
  }

  /** Expects the members to be those of a full evaluation. */
  async function expectExact(id: FilterId): Promise<void> {
    const owner = filters.get(id);
    if (owner === undefined) throw new Error('the filter was created');
    const scope = reachOf(owner);
    const snapshot = await backend.memberships.members(scope, id);
    const filter = await meaningOf(id, owner);
    const follower = followers.get(id);
    if (snapshot === null) {
      expect(filter).toBeNull();
      return;
    }
    const isDegraded = filter === null;
    if (follower === undefined) {
      followers.set(id, { cursor: snapshot.seq, members: new Set(snapshot.ids), isDegraded });
    } else await follow(id, scope, follower, snapshot);
    expect(followers.get(id)?.isDegraded).toBe(isDegraded);
    if (filter === null) return;
    const found: DeviceId[] = [];
    const request = { filter, scope, at: snapshot.evaluatedAt, onBehalfOf: 'test' };
    for await (const batch of backend.matcher.streamIds(request)) found.push(...batch);
    expect(snapshot.ids.toSorted()).toStrictEqual(found.toSorted());
  }

  /** Expects the changes to lead from the members at the cursor to the current members. */
  async function follow(
    id: FilterId,
    scope: AccessScope,
    follower: Follower,
    given?: MemberSnapshot,
  ): Promise<void> {
    for (let more = true; more; ) {
      const page = await backend.memberships.changes(scope, id, follower.cursor, pick([1, 3, 1_000]));
      if (page === null || page === 'expired') throw new Error('nothing was forgotten');
      more = page.hasMore;
      for (const change of page.changes) {
        expect(change.seq).toBe(++follower.cursor);
        expect(change.at).toBeGreaterThan(0);
        count('cause' in change ? `${change.type} ${change.cause}` : change.type);
        if (!('deviceId' in change)) {
          expect(follower.isDegraded).toBe(change.type === 'recovered');
          follower.isDegraded = change.type === 'degraded';
          continue;
        }
        expect(follower.isDegraded).toBe(false);
        expect(follower.members.has(change.deviceId)).toBe(change.type === 'left');
        if (change.type === 'entered') follower.members.add(change.deviceId);
        else follower.members.delete(change.deviceId);
      }
    }
    const snapshot = given ?? (await backend.memberships.members(scope, id));
    expect(snapshot?.seq).toBe(follower.cursor);
    expect(snapshot?.ids.toSorted()).toStrictEqual([...follower.members].toSorted());
  }

  return {
    seen,
    close: async () => close?.(),
    async step() {
      const names = Object.keys(steps);
      const name =
        random() < evaluateShare ? 'evaluate' : pick(names.filter((_, i) => random() < 0.6 || i < 3));
      if (CHANGES_MEANING.has(name)) meanings.clear();
      await steps[name]?.();
      return name;
    },
    /** Between evaluations nothing changes for readers. */
    async expectConsistent() {
      for (const [id, follower] of followers) {
        const owner = filters.get(id);
        if (owner !== undefined) await follow(id, reachOf(owner), follower);
      }
    },
  };
}

/** Numbers from 0 to below 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function endOfMonth(at: EpochMs): EpochMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) - 12 * HOUR_MS;
}

/** Throws if the law is broken. Returns what happened. Each model takes 1,000 steps; `atOnce` models run at once. */
export async function runModel(
  steps: number,
  openStore: OpenStore,
  { atOnce = 1 } = {},
): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const perModel = 1_000;
  let next = 0;
  async function runOne(first: number): Promise<void> {
    const seed = SEED + first;
    const model = await openModel(seed, openStore);
    const history: string[] = [];
    for (let i = 0; i < Math.min(perModel, steps - first); i++) {
      try {
        history.push(await model.step());
        if (i % 20 === 0) await model.expectConsistent();
      } catch (error) {
        throw new Error(`MEMBERSHIP_SEED=${seed}, step ${i}, after ${history.slice(-12).join(', ')}`, {
          cause: error,
        });
      }
    }
    await model.close();
    for (const [what, times] of model.seen) seen.set(what, (seen.get(what) ?? 0) + times);
  }
  async function runInTurn(): Promise<void> {
    while (next < steps) {
      const first = next;
      next += perModel;
      await runOne(first);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runInTurn));
  return seen;
}

/** Every event that a run has to meet; a run without one of them proves less than it claims. */
export const EVERYTHING = [
  ...['degraded', 'entered device', 'entered filter', 'entered moved', 'entered time', 'killed'],
  ...['left deleted', 'left device', 'left filter', 'left moved', 'left time', 'recovered'],
];
