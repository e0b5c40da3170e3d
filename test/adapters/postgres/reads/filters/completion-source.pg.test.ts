/** How completions work in large scopes, and how their statements are limited to the scope. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  type CompletionBounds,
  makeCompletionSource,
} from '#adapters/postgres/reads/filters/completion-source.ts';
import { openScopedReader, type ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { CompletionRequest, FoundValue } from '#application/ports/filters/completion-source.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { loadTwoTenants, type TwoTenants } from '#test/adapters/postgres/setup/two-tenants.ts';
import { aDevice, aSite, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { loadFleet } from '#test/support/tenant.ts';

const SOURCES: readonly ValueSource[] = [
  ...(['tags', 'software', 'organizations', 'sites', 'agentVersions', 'osVersions'] as const),
];

/** Every scope that has a sampled device is large. */
const BOUNDS: CompletionBounds = { one: 1, several: 1 };
const LARGE = {
  ...{ tags: BOUNDS, software: BOUNDS, softwareVersions: BOUNDS, organizations: BOUNDS, sites: BOUNDS },
  ...{ agentVersions: BOUNDS, osVersions: BOUNDS, filters: BOUNDS },
};

let world: PostgresWorld;
let tenants: TwoTenants;
let reader: ScopedReader;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  tenants = await loadTwoTenants(world);
  reader = openScopedReader({
    connection: world.connection('reader', { plan_cache_mode: 'force_generic_plan' }),
    poolSize: 2,
    timeoutMs: 60_000,
  });
  for (const orgId of [tenants.a, tenants.b, tenants.c]) await loadOrganization(orgId);
});
afterAll(async () => {
  await reader.close();
  await world.close();
});

const valuesOf = (found: readonly FoundValue[]) => found.map(({ value }) => value);

const installed = (...names: readonly string[]) => names.map((name) => ({ name, version: null }));

/** The sample has three devices or none for each tag and title, and lacks others. */
async function loadOrganization(orgId: OrgId): Promise<void> {
  const { sampled, others } = await newIds();
  const site = aSite({ orgId, name: `site of ${orgId}` });
  const device = (id: DeviceId, name: string) =>
    aDevice({
      id,
      orgId,
      siteId: site.id,
      tags: [`${name} of ${orgId}`, name],
      software: installed(`${name} of ${orgId}`, name),
    });
  await loadFleet(world.backend, [
    site,
    ...sampled.slice(0, 3).map((id) => device(id, 'known')),
    ...others.slice(0, 5).map((id) => device(id, 'rare')),
  ]);
}

/** Ids of devices that are in the sample, and of some that are not. */
async function newIds(): Promise<Readonly<Record<'sampled' | 'others', readonly DeviceId[]>>> {
  const ids = Array.from({ length: 3_000 }, () => newId<'device'>());
  const rows = await world.query<{ id: DeviceId; is_sampled: boolean }>(
    'owner',
    'select id, (uuid_hash(id) & 255) = 0 as is_sampled from unnest($1::uuid[]) id',
    [ids],
  );
  const idsOf = (isSampled: boolean) =>
    rows.filter(({ is_sampled }) => is_sampled === isSampled).map(({ id }) => id);
  return { sampled: idsOf(true), others: idsOf(false) };
}

test('in a large scope, tags come from the sample, and rare software is found by its name', async () => {
  const source = makeCompletionSource(reader, 60_000, LARGE);
  const find = async (request: CompletionRequest) => {
    const found = await source(request);
    // A count from a sample is not shown.
    expect(found.every(({ devices }) => devices === null)).toBe(true);
    return valuesOf(found);
  };
  const { a } = tenants;
  const request = { scope: orgScope(a), limit: 20, onBehalfOf: 'test' };
  expect(await find({ ...request, source: 'tags', typed: 'OF' })).toStrictEqual([`known of ${a}`]);
  // Titles that begin with the text come first, sampled or not.
  expect(await find({ ...request, source: 'software', typed: 'R' })).toStrictEqual(['rare', `rare of ${a}`]);
  expect(await find({ ...request, source: 'software', typed: 'of' })).toStrictEqual([
    `known of ${a}`,
    `Tool of ${a}`,
    `rare of ${a}`,
  ]);
  expect(await find({ ...request, source: 'software', typed: 'of', limit: 1 })).toStrictEqual([
    `known of ${a}`,
  ]);
  expect(await find({ ...request, source: 'sites', typed: 'site' })).toStrictEqual([`site of ${a}`]);
  expect(await find({ ...request, source: 'organizations', typed: '' })).toStrictEqual(['A']);
});

test('a completion that runs out of time finds less, nothing wrong, and leaves its connection', async () => {
  const hasty = makeCompletionSource(reader, 0);
  const patient = makeCompletionSource(reader, 60_000);
  for (const source of SOURCES) {
    const request = { source, scope: SYSTEM_SCOPE, limit: 20, onBehalfOf: 'test', typed: '' };
    const found = await hasty(request);
    const all = await patient(request);
    // A statement may be faster than the timer. A count is exact or not shown.
    const right = new Set(all.flatMap(({ value, devices }) => [`${value}: ${devices}`, `${value}: null`]));
    expect(found.filter(({ value, devices }) => !right.has(`${value}: ${devices}`))).toStrictEqual([]);
    expect(new Set(valuesOf(found)).size).toBe(found.length);
    if (source === 'organizations') expect(valuesOf(all)).toStrictEqual(['A', 'B', 'C']);
  }
});

test.each([
  ['if all devices are counted', undefined],
  ['if a sample is counted', LARGE],
])('nothing of another tenant is suggested %s', async (_, bounds) => {
  const find = makeCompletionSource(reader, 60_000, bounds);
  for (const scope of Object.values(tenants.scopes)) {
    const orgIds = reachableOrgIds(scope) ?? [tenants.a, tenants.b, tenants.c];
    for (const source of ['tags', 'software', 'sites'] as const) {
      for (const typed of ['', 'of', 'known', 'site']) {
        const found = await find({ scope, source, typed, limit: 20, onBehalfOf: 'test' });
        const named = valuesOf(found).flatMap((value) => / of (.*)$/.exec(value)?.[1] ?? []);
        expect(named.filter((orgId) => !orgIds.some((own) => own === orgId))).toStrictEqual([]);
        if (typed === 'of') expect(new Set(named).size).toBe(orgIds.length);
      }
    }
  }
});

test('every read of devices, sites and organizations in a statement is limited to the scope', () => {
  for (const scope of Object.values(tenants.scopes)) {
    for (const source of SOURCES) {
      for (const counted of ['all', 'sampled'] as const) {
        const { text } = ScopedStatement.completionValues(scope, source, "x'--", 5, counted);
        // Sites without a sampled device are found as well, beside the sample.
        expectScoped(text, scope, source === 'sites' && counted === 'sampled' ? 2 : 1);
      }
    }
    // The lists of one or two organizations are read by their index, and their long names beside it.
    const orgIds = reachableOrgIds(scope);
    const looks = orgIds === null ? 1 : orgIds.length <= 2 ? 3 : 2;
    expectScoped(ScopedStatement.rareSoftware(scope, "x'--", 5).text, scope, looks);
    expectScoped(ScopedStatement.sampledDevices(scope, 5).text, scope);
  }
});

test.each([0, -1, 1.5, Number.NaN])('a completion with the limit %s is refused', (limit) => {
  for (const counted of ['all', 'sampled'] as const) {
    expect(() => ScopedStatement.completionValues(SYSTEM_SCOPE, 'tags', 'a', limit, counted)).toThrow();
  }
  expect(() => ScopedStatement.rareSoftware(SYSTEM_SCOPE, 'a', limit)).toThrow();
  expect(() => ScopedStatement.sampledDevices(SYSTEM_SCOPE, limit)).toThrow();
});

test('a completion for an organization that is not a UUID is refused', () => {
  const orgId = "x' or true --" as OrgId;
  const several: AccessScope = {
    kind: 'partner',
    partnerId: tenants.p,
    orgIds: [orgId, tenants.a],
    isWhole: false,
  };
  for (const scope of [orgScope(orgId), several]) {
    for (const source of SOURCES) {
      expect(() => ScopedStatement.completionValues(scope, source, 'a', 1, 'all')).toThrow('not a UUID');
    }
    expect(() => ScopedStatement.rareSoftware(scope, 'a', 1)).toThrow('not a UUID');
    expect(() => ScopedStatement.sampledDevices(scope, 1)).toThrow('not a UUID');
  }
});

/** Reads that find their row through a row in scope, or that count within an organization in scope. */
const FOLLOWED: readonly RegExp[] = [
  /^device d on d\.id = t\.id\b/,
  /^device_software s on s\.device_id = t\.id\b/,
  /^device d where d\.org_id = o\.id\)/,
  /^device d where d\.site_id = s\.id\)/,
  /^device_search t where not t\.is_odd and \(uuid_hash\(t\.id\) & 255\) = 0 and t\.org_id = o\.id\)/,
];

function expectScoped(text: string, scope: AccessScope, expectedLooks = 1): void {
  const code = text.replaceAll(/ ?\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/g, "''").replaceAll(/\s+/g, ' ');
  expect(code).not.toMatch(/--|\/\*|;|\$|\\/);
  let looks = 0;
  for (const { index, 0: look } of code.matchAll(/\b(?:device\w*|site|organization\w*) [dtsoc]\b/g)) {
    const rest = code.slice(index);
    if (FOLLOWED.some((pattern) => pattern.test(rest))) continue;
    looks++;
    const alias = look.slice(-1);
    const column = look.startsWith('organization ') ? 'id' : 'org_id';
    const inScope = RegExp.escape(scopePredicate(scope, `${alias}.${column}`));
    expect(rest).toMatch(new RegExp(`(?:where|and) ${inScope}(?: |\\)|$)`));
  }
  expect(looks).toBe(expectedLooks);
}

/** What the scope has to look like, stated independently, without its constants. */
function scopePredicate(scope: AccessScope, column: string): string {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return 'true';
  if (orgIds.length === 0) return 'false';
  return orgIds.length === 1 ? `${column} = ''::uuid` : `${column} = any(''::uuid[])`;
}
