/**
 * Which filters match a device is the same question as which devices match a filter: the index of an organization's
 * filters, with devices read from PostgreSQL, against the devices that PostgreSQL finds for each filter.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeListDeviceFilters } from '#application/devices/list-device-filters.ts';
import type { Condition, ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { FilterRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { aCall, aFilter, aUser } from '#test/support/builders.ts';
import {
  type DifferentialWorld,
  openDifferentialWorld,
  type Reach,
} from '#test/support/differential/differential-world.ts';
import { parseFilter, patternsIn } from '#test/support/filters.ts';
import { randomFilter } from '#test/support/random/random-filters.ts';
import { EVALUATION_INSTANTS } from '#test/support/random/random-scalars.ts';
import { loadFleet } from '#test/support/tenant.ts';

const SEED = Number(process.env.DIFFERENTIAL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const DEVICES = 60;
const FILTERS = 60;

let world: DifferentialWorld;
beforeAll(async () => {
  world = await openDifferentialWorld({
    adminUrl: inject('databaseUrl'),
    seed: SEED,
    deviceCount: DEVICES,
    isIndexed: false,
  });
});
afterAll(() => world.close());

/** The organizations that have devices, each as its own users see it. */
function organizations(): readonly (Reach & { readonly orgId: OrgId })[] {
  return world.reaches.flatMap((reach) =>
    reach.scope.kind === 'organization' && reach.devices.length > 0
      ? [{ ...reach, orgId: reach.scope.orgId }]
      : [],
  );
}

test(`both questions have the same answer (DIFFERENTIAL_SEED=${SEED})`, async () => {
  const { backend } = world;
  let answered = 0;
  for (const [n, { orgId, scope, catalog, devices, leaves }] of organizations().entries()) {
    const at = EVALUATION_INSTANTS[n % EVALUATION_INSTANTS.length] as number;
    const user = aUser({ membership: { scope: 'organization', orgId } });
    const filters: FilterRecord[] = [];
    // Filters that other filters name are not stored here.
    const plain = leaves.filter(({ field }) => field !== 'filter');
    for (const raw of fc.sample(randomFilter(plain), { seed: SEED + n, numRuns: FILTERS })) {
      const filter = parseFilter(raw, catalog);
      const patterns = patternsIn(filter);
      // Some of the drawn patterns are not valid.
      if ((await backend.checkPatterns(patterns, user.id)).size > 0) continue;
      // As parsed from a request body. JSON.stringify takes deep trees only of plain objects.
      const conditions: unknown = JSON.parse(toJson(filter));
      filters.push(aFilter({ orgId, createdBy: user.id, name: `filter ${filters.length}`, conditions }));
    }
    await loadFleet(backend, [user, ...filters]);
    const expected = new Map<DeviceId, string[]>(devices.map(({ id }) => [id, []]));
    for (const { id, conditions } of filters) {
      const request = { filter: parseFilter(conditions, catalog), scope, at, onBehalfOf: user.id };
      for await (const batch of backend.matcher.streamIds(request)) {
        for (const deviceId of batch) expected.get(deviceId)?.push(id);
      }
    }
    const list = makeListDeviceFilters({ ...backend, clock: () => at, filterTimeoutMs: 120_000 });
    for (const [deviceId, ids] of expected) {
      const answer = await list(aCall({ userId: user.id, scope }), deviceId);
      const found = answer.ok ? answer.value.filters.map(({ id }) => id) : answer.error;
      expect(Array.isArray(found) ? found.toSorted() : found, deviceId).toStrictEqual(ids.toSorted());
      answered += ids.length;
    }
  }
  expect(answered).toBeGreaterThan(DEVICES);
}, 600_000);

function toJson(filter: ConditionGroup): string {
  return foldConditions<Condition, string>(filter, {
    condition: ({ field, operator, value }) => JSON.stringify({ field: field.key, operator, value }),
    group: ({ operator }, members) =>
      `{"operator":"${operator}","conditions":[${members.reduce((all, member) => `${all},${member}`)}]}`,
  });
}
