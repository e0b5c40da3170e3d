/** PATCH /filters/:id (Spec: PATCH /filters/:id; Contract: §5, §8). */
import { expect, test } from 'vitest';
import { FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { UpdateFilterInput } from '#application/filters/saved/update-filter.ts';
import type { Precondition } from '#application/precondition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { err, ok } from '#domain/result.ts';
import {
  aCall,
  aCustomField,
  aSavedFilter,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { makeMemoryService } from '#test/support/memory-service.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const ANY_VERSION: Precondition = { kind: 'none' };
const NEXT_DAY = SOME_INSTANT + 86_400_000;
const TAGGED = and({ field: 'tags', operator: 'isNotEmpty' });

const named = (filter: SavedFilter) => ({ ...filter, creatorName: 'Sam Example' });

async function setUp() {
  const service = makeMemoryService();
  const tenant = await createTenant(service.backend, 2);
  const filter = aSavedFilter({
    orgId: tenant.orgId,
    createdBy: tenant.userId,
    name: 'Online',
    description: 'as it says',
  });
  await service.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
  service.moveClockTo(NEXT_DAY);
  const update = (
    input: UpdateFilterInput,
    precondition: Precondition = ANY_VERSION,
    scope: AccessScope = orgScope(tenant.orgId),
  ) => service.updateFilter(aCall({ userId: tenant.userId, scope }), filter.id, input, precondition);
  const stored = () => service.backend.filters.find(SYSTEM_SCOPE, filter.id);
  return { service, tenant, filter, update, stored };
}

test.each<[string, UpdateFilterInput, Partial<SavedFilter>, readonly string[]]>([
  ['the name, trimmed', { name: ' Renamed ' }, { name: 'Renamed' }, ['name']],
  ['the description', { description: 'new' }, { description: 'new' }, ['description']],
  ['the description to null', { description: null }, { description: null }, ['description']],
  ['the description to an empty one', { description: '' }, { description: '' }, ['description']],
  ['the conditions', { conditions: TAGGED }, { conditionsJson: JSON.stringify(TAGGED) }, ['conditions']],
  [
    'everything except the name, which is sent unchanged',
    { name: 'Online', description: null, conditions: TAGGED },
    { description: null, conditionsJson: JSON.stringify(TAGGED) },
    ['description', 'conditions'],
  ],
])(
  'an update changes %s, and the audit entry names the changed fields',
  async (_what, input, change, fields) => {
    const { service, tenant, filter, update, stored } = await setUp();
    const expected = { ...filter, ...change, updatedAt: NEXT_DAY, version: 2 };
    expect(await update(input)).toStrictEqual(ok(named(expected)));
    expect(await stored()).toStrictEqual(expected);
    expect(service.takeEntries()).toStrictEqual([
      {
        at: NEXT_DAY,
        actor: { type: 'user', id: tenant.userId },
        orgId: tenant.orgId,
        partnerId: null,
        action: 'filter.update',
        result: 'success',
        resourceType: 'filter',
        resourceId: filter.id,
        details: { fields },
        requestId: 'request-1',
        ip: '192.0.2.7',
      },
    ]);
  },
);

test.each<[string, UpdateFilterInput]>([
  ['no fields', {}],
  ['the current values', { name: 'Online', description: 'as it says' }],
])('an update with %s changes nothing, not even updatedAt, and is not audited', async (_what, input) => {
  const { service, filter, update, stored } = await setUp();
  expect(await update(input)).toStrictEqual(ok(named(filter)));
  expect(await stored()).toStrictEqual(filter);
  expect(service.takeEntries()).toStrictEqual([]);
});

test('the same conditions sent again change nothing', async () => {
  const { filter, update } = await setUp();
  expect(await update({ conditions: JSON.parse(filter.conditionsJson) })).toStrictEqual(ok(named(filter)));
});

test.each<[string, UpdateFilterInput, readonly string[]]>([
  ['a blank name', { name: ' ' }, ['name']],
  ['a name of null', { name: null }, ['name']],
  ['a description that is too long', { description: 'x'.repeat(1001) }, ['description']],
  ['conditions of null', { conditions: null }, ['conditions']],
  ['an empty group', { conditions: { operator: 'AND', conditions: [] } }, ['conditions.conditions']],
  [
    'a regular expression that is refused',
    { conditions: and({ field: 'hostname', operator: 'matches', value: '[' }) },
    ['conditions.conditions[0].value'],
  ],
  [
    'all three fields wrong',
    { name: 5, description: 5, conditions: 5 },
    ['name', 'description', 'conditions'],
  ],
])('an update with %s is refused with every fault, and changes nothing', async (_what, input, paths) => {
  const { service, filter, update, stored } = await setUp();
  const outcome = await update({ ...input });
  const error = outcome.ok ? null : outcome.error;
  expect(error?.code).toBe('validation_failed');
  expect(error && 'errors' in error ? error.errors.map(({ path }) => path) : []).toStrictEqual(paths);
  expect(await stored()).toStrictEqual(filter);
  expect(service.takeEntries()).toStrictEqual([]);
});

test.each<[string, Precondition, boolean]>([
  ['any version is accepted', { kind: 'any' }, true],
  ['the stored version is accepted', { kind: 'version', versions: new Set([1]) }, true],
  ['the stored version or another is accepted', { kind: 'version', versions: new Set([7, 1]) }, true],
  ['another version is refused', { kind: 'version', versions: new Set([2]) }, false],
  ['no version is refused', { kind: 'version', versions: new Set() }, false],
])('an update based on %s', async (_what, precondition, mayGoOn) => {
  const { filter, update, stored } = await setUp();
  const outcome = await update({ name: 'Renamed' }, precondition);
  expect(outcome.ok ? 'done' : outcome.error).toStrictEqual(
    mayGoOn
      ? 'done'
      : {
          code: 'precondition_failed',
          detail: 'The filter has changed since you read it; read it again and repeat your change.',
        },
  );
  expect((await stored())?.name).toBe(mayGoOn ? 'Renamed' : filter.name);
});

test('one of two updates based on the same version is refused', async () => {
  const { update } = await setUp();
  const seen: Precondition = { kind: 'version', versions: new Set([1]) };
  const outcomes = await Promise.all([update({ name: 'One' }, seen), update({ name: 'Two' }, seen)]);
  expect(
    outcomes.map((outcome) => (outcome.ok ? outcome.value.version : outcome.error.code)).toSorted(),
  ).toStrictEqual([2, 'precondition_failed']);
});

test.each<[string, (tenant: Tenant) => AccessScope]>([
  ['another organization', ({ orgIds }) => orgScope(orgIds[1] ?? newId())],
  ['a partner without it', ({ partnerId, orgIds }) => partnerScope(partnerId, orgIds.slice(1))],
])('the filter is not found for %s, and the attempt is audited', async (_who, scopeOf) => {
  const { service, tenant, filter, update, stored } = await setUp();
  const scope = scopeOf(tenant);
  // A fault in the body must not reveal that the filter exists.
  expect(await update({ name: '' }, ANY_VERSION, scope)).toStrictEqual(err(FILTER_NOT_FOUND));
  expect(await stored()).toStrictEqual(filter);
  expect(
    service
      .takeEntries()
      .map(({ action, result, resourceId, details }) => ({ action, result, resourceId, details })),
  ).toStrictEqual([
    { action: 'filter.update', result: 'denied', resourceId: filter.id, details: { reason: 'not_found' } },
  ]);
});

test('an unknown filter is not found', async () => {
  const { service } = await setUp();
  const outcome = await service.updateFilter(aCall(), newId(), { name: 'x' }, ANY_VERSION);
  expect(outcome).toStrictEqual(err(FILTER_NOT_FOUND));
});

test('a filter that is deleted while the update is checked is not found', async () => {
  const gone = aSavedFilter({ orgId: newId(), createdBy: newId() });
  const service = makeMemoryService({
    change: ({ filters }) => ({ filters: { ...filters, find: async () => gone } }),
  });
  const outcome = await service.updateFilter(aCall(), gone.id, { name: 'x' }, ANY_VERSION);
  expect(outcome).toStrictEqual(err(FILTER_NOT_FOUND));
});

test.each<[string, (tenant: Tenant) => AccessScope]>([
  ['a partner', ({ partnerId, orgIds }) => partnerScope(partnerId, orgIds)],
  ['the system', () => SYSTEM_SCOPE],
])("an update by %s uses the custom fields of the filter's organization", async (_who, scopeOf) => {
  const { service, tenant, update } = await setUp();
  const [one, two] = tenant.orgIds;
  await loadFleet(service.backend, [
    aCustomField({ owner: { kind: 'organization', orgId: one ?? newId() }, key: 'seats', type: 'number' }),
    aCustomField({ owner: { kind: 'organization', orgId: two ?? newId() }, key: 'seats', type: 'text' }),
    aCustomField({ owner: { kind: 'organization', orgId: two ?? newId() }, key: 'theirs' }),
  ]);
  const scope = scopeOf(tenant);
  const onSeats = and({ field: 'custom.seats', operator: 'greaterThan', value: 5 });
  const onTheirs = and({ field: 'custom.theirs', operator: 'isNull' });
  expect((await update({ conditions: onSeats }, ANY_VERSION, scope)).ok).toBe(true);
  expect((await update({ conditions: onTheirs }, ANY_VERSION, scope)).ok).toBe(false);
});
