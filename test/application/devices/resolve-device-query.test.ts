/** How a request names devices, and the faults of unclear requests (Contract: §10, §11). */
import { describe, expect, test } from 'vitest';
import { type DeviceQueryInput, makeResolveDeviceQuery } from '#application/devices/resolve-device-query.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import { makeCheckText } from '#application/filters/text/check-text.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  aCall,
  aCustomField,
  anOrganization,
  aSavedFilter,
  aSite,
  newId,
  ONLINE_CONDITIONS,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { makeMemoryService } from '#test/support/memory-service.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** Two organizations of a partner, and a stranger's, each with a site named Head office. */
async function setUp() {
  const { backend } = makeMemoryService();
  const tenant = await createTenant(backend, 2);
  const stranger = await createTenant(backend);
  const [one, two] = tenant.orgIds as [OrgId, OrgId];
  const sites = [one, two, stranger.orgId].map((orgId) => aSite({ orgId, name: 'Head Office' }));
  const named = anOrganization({ partnerId: tenant.partnerId, name: 'Straße & Söhne' });
  const field = aCustomField({ owner: { kind: 'organization', orgId: one }, key: 'ring' });
  await loadFleet(backend, [...sites, named, field]);
  const deps = {
    ...backend,
    checkConditions: makeCheckConditions(backend),
    checkText: makeCheckText(backend),
  };
  const resolve = makeResolveDeviceQuery(deps);
  const partner = partnerScope(tenant.partnerId, [...tenant.orgIds, named.id]);
  const ask = (input: DeviceQueryInput, scope: AccessScope = partner) =>
    resolve(aCall({ userId: tenant.userId, scope }), input);
  return { backend, tenant, stranger, one, two, sites, named, partner, ask };
}

type Outcome = Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>['ask']>>;

function faultsOf(outcome: Outcome): unknown {
  if (outcome.ok) return 'none';
  return 'errors' in outcome.error ? outcome.error.errors : outcome.error.code;
}

/** The parsed filter, or the error. */
function filterOf(outcome: Outcome): unknown {
  return outcome.ok ? outcome.value.filter : outcome.error;
}

describe('a device query', () => {
  test.each([{}, { q: '' }, { q: ' \t\n' }])('of %j covers all devices in reach', async (input) => {
    const { ask, partner } = await setUp();
    expect(await ask(input)).toMatchObject({
      value: { filter: { operator: 'AND', conditions: [] }, scope: partner, filterId: null, orgId: null },
    });
  });

  test('a text means what its conditions mean', async () => {
    const { ask } = await setUp();
    const asText = filterOf(await ask({ q: 'status:online' }));
    expect(asText).toStrictEqual(filterOf(await ask({ conditions: ONLINE_CONDITIONS })));
  });

  test('a saved filter covers its own organization, however far the caller reaches', async () => {
    const { ask, backend, tenant, one, two } = await setUp();
    const saved = aSavedFilter({ orgId: one, createdBy: tenant.userId });
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(saved));
    const expected = { value: { scope: orgScope(one), filterId: saved.id, orgId: one } };
    expect(await ask({ filterId: saved.id })).toMatchObject(expected);
    expect(await ask({ filterId: saved.id.toUpperCase(), orgId: one })).toMatchObject(expected);
    expect(faultsOf(await ask({ filterId: saved.id, orgId: two }))).toMatchObject([{ path: 'orgId' }]);
    expect(faultsOf(await ask({ filterId: saved.id }, orgScope(two)))).toBe('not_found');
    expect(faultsOf(await ask({ filterId: newId() }))).toBe('not_found');
  });

  test('an organization narrows the scope; one out of reach is answered like an unknown one', async () => {
    const { ask, one, stranger } = await setUp();
    expect(await ask({ orgId: one })).toMatchObject({ value: { scope: orgScope(one), orgId: one } });
    const refusals = [
      await ask({ orgId: stranger.orgId }),
      await ask({ orgId: newId() }),
      await ask({ orgId: newId() }, SYSTEM_SCOPE),
    ];
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(faultsOf(refusals[0] as Outcome)).toBe('not_found');
    expect((await ask({ orgId: stranger.orgId }, SYSTEM_SCOPE)).ok).toBe(true);
  });

  test.each([
    [{ conditions: ONLINE_CONDITIONS, q: 'status:online' }, ['q']],
    [{ q: '', filterId: newId() }, ['filterId']],
    [{ filterId: 'x', orgId: 7 }, ['filterId', 'orgId']],
    [{ conditions: null }, ['conditions']],
    [{ q: null }, ['q']],
    [{ filterId: null }, ['filterId']],
    [{ conditions: null, filterId: newId() }, ['filterId']],
    [{ q: null, filterId: newId() }, ['filterId']],
  ])('%j is refused at %j', async (input, paths) => {
    const { ask } = await setUp();
    expect(faultsOf(await ask(input))).toMatchObject(paths.map((path) => ({ path })));
  });
});

describe('a text', () => {
  test('names organizations and sites in reach, ignoring case, and all that share the name', async () => {
    const { ask, one, named, sites } = await setUp();
    const ofOrg = (orgId: string) => ({
      operator: 'AND',
      conditions: [{ field: 'orgId', operator: 'equals', value: orgId }],
    });
    expect(filterOf(await ask({ q: 'org:"STRASSE & SÖHNE"' }))).toMatchObject({ code: 'validation_failed' });
    expect(filterOf(await ask({ q: 'org:"STRAßE & SÖHNE"' }))).toStrictEqual(
      filterOf(await ask({ conditions: ofOrg(named.id) })),
    );
    const inReach = sites.slice(0, 2).map(({ id }) => id);
    const ofSites = (ids: readonly string[]) => ({
      operator: 'AND',
      conditions: [{ field: 'siteId', operator: 'in', value: ids }],
    });
    expect(filterOf(await ask({ q: 'site:"head office"' }))).toStrictEqual(
      filterOf(await ask({ conditions: ofSites(inReach.toSorted()) })),
    );
    expect(faultsOf(await ask({ q: 'org:"STRAßE & SÖHNE"', orgId: one }))).toMatchObject([
      { path: 'q', code: 'invalid_value', start: 4, end: 20 },
    ]);
  });

  test('knows the custom fields of the organization that is asked', async () => {
    const { ask, one, two } = await setUp();
    expect((await ask({ q: 'custom.ring:early', orgId: one })).ok).toBe(true);
    expect(faultsOf(await ask({ q: 'custom.ring:early', orgId: two }))).toMatchObject([
      { path: 'q', code: 'unknown_field', start: 0, end: 11 },
    ]);
  });

  test('is refused at each pattern that cannot be evaluated, with its position', async () => {
    const { ask } = await setUp();
    expect(faultsOf(await ask({ q: 'status:online host:/a(/ OR host:/b[/ host:/c/' }))).toMatchObject([
      { path: 'q', code: 'invalid_pattern', start: 19, end: 23 },
      { path: 'q', code: 'invalid_pattern', start: 32, end: 36 },
    ]);
  });

  test.each([7, {}, ['status:online'], 'a\u0000b', 'a\ud800b'])('cannot be %j', async (q) => {
    const { ask } = await setUp();
    expect(faultsOf(await ask({ q }))).toMatchObject([{ path: 'q' }]);
  });
});
