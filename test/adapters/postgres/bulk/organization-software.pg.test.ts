/** Names of software are looked up among the organization's own titles. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { Backend } from '#application/backend.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import {
  aDevice,
  anInventory,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { and, parseFilter } from '#test/support/filters.ts';
import { importInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

let world: PostgresWorld;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  tenant = await createTenant(world.backend, 6);
  other = await createTenant(world.backend);
});

afterAll(() => world.close());

const installed = (...names: readonly string[]) => names.map((name) => ({ name, version: null }));

/** The names and patterns that match a title in scope. */
async function known(
  scope: AccessScope,
  names: readonly string[],
  patterns: readonly string[] = [],
): Promise<readonly string[]> {
  const { text } = ScopedStatement.titles(scope, {
    names: new Set(names),
    patterns: new Set(patterns),
    versions: new Set(),
  });
  const rows = await world.query<{ key: string; ids: readonly number[] }>('reader', text);
  for (const { ids } of rows) expect(new Set(ids).size).toBe(ids.length);
  return rows.map(({ key }) => key).toSorted();
}

async function count(backend: Backend, { orgId }: Tenant, name: string): Promise<number> {
  const found = await backend.matcher.preview(
    {
      filter: parseFilter(and({ field: 'software.installed', operator: 'equals', value: name })),
      scope: orgScope(orgId),
      at: SOME_INSTANT,
      onBehalfOf: 'test',
    },
    1,
  );
  if (!found.ok) throw new Error(`the preview was refused: ${found.error.kind}`);
  return found.value.totalCount;
}

describe('names of software', () => {
  beforeAll(async () => {
    const [first = tenant.orgId, second = tenant.orgId] = tenant.orgIds;
    await loadFleet(world.backend, [
      aDevice({ orgId: first, software: installed('Shared', 'Mine', 'MINE') }),
      aDevice({ orgId: second, software: installed('Shared', 'Mine') }),
      aDevice({ orgId: other.orgId, software: installed('Shared', 'Theirs') }),
    ]);
  });

  test.each([
    ['one organization', () => orgScope(tenant.orgId)],
    ['a few organizations', () => partnerScope(tenant.partnerId, tenant.orgIds.slice(0, 2))],
    ['many organizations', () => partnerScope(tenant.partnerId, tenant.orgIds)],
  ])('match the titles in %s, and no others', async (_scope, scopeOf) => {
    const names = ['shared', 'mine', 'theirs', 'nobodys'];
    const patterns = ['%har%', '%min%', '%heir%', 'nobo%', '%s'];
    const expected = ['like %har%', 'like %min%', 'name mine', 'name shared'];
    expect(await known(scopeOf(), names, patterns)).toStrictEqual(expected);
    expect(await known(scopeOf(), names)).toStrictEqual(['name mine', 'name shared']);
    for (const pattern of patterns) {
      const key = `like ${pattern}`;
      expect(await known(scopeOf(), [], [pattern])).toStrictEqual(expected.includes(key) ? [key] : []);
    }
  });

  test('match every title if everything is in reach, and none if nothing is', async () => {
    expect(await known(SYSTEM_SCOPE, ['mine', 'theirs'], ['%heir%'])).toStrictEqual([
      'like %heir%',
      'name mine',
      'name theirs',
    ]);
    expect(await known({ kind: 'none' }, ['mine'], ['%'])).toStrictEqual([]);
    expect(await known(partnerScope(tenant.partnerId, []), ['mine'], ['%'])).toStrictEqual([]);
  });

  test.each([
    ['a name', ['mine'], []],
    ['a part of a name', [], ['%min%']],
    ['both', ['mine'], ['%min%']],
  ])('in one organization are looked up only in its own list: %s', async (_what, names, patterns) => {
    const { text } = ScopedStatement.titles(orgScope(tenant.orgId), {
      names: new Set(names),
      patterns: new Set(patterns),
      versions: new Set(),
    });
    const plan = JSON.stringify(await world.query('reader', `explain (analyze, format json) ${text}`));
    expect(plan).not.toContain('software_title');
    expect(plan).toContain('organization_software');
  });
});

test('simultaneous loads and inventories with the same new titles all note them', async () => {
  for (let round = 0; round < 5; round++) {
    const names = Array.from({ length: 20 }, (_, n) => `New ${round} ${n}`);
    const reversed = installed(...names.toReversed());
    const store = (inventoryId: string) =>
      importInventory(
        world.backend,
        tenant.orgId,
        anInventory({ software: reversed }, { inventoryId }),
        SOME_INSTANT,
      );
    const load = () =>
      loadFleet(world.backend, [aDevice({ orgId: tenant.orgId, software: installed(...names) })]);
    const stored = await Promise.all([load(), store(`a${round}`), store(`b${round}`), load()]);
    expect(stored.map((outcome) => outcome?.ok)).toStrictEqual([undefined, true, true, undefined]);
    for (const name of names) expect(await count(world.backend, tenant, name)).toBe(4);
  }
});

test('a title is noted for an organization until the last device there loses it', async () => {
  const device = aDevice({ orgId: tenant.orgId, software: installed('Short-lived') });
  await loadFleet(world.backend, [device]);
  await world.backend.removeUnusedTitles(100);
  expect(await known(orgScope(tenant.orgId), ['short-lived'])).toStrictEqual(['name short-lived']);
  await loadFleet(world.backend, [{ ...device, software: [] }]);
  await world.backend.removeUnusedTitles(100);
  expect(await known(orgScope(tenant.orgId), ['short-lived'])).toStrictEqual([]);
  expect(await count(world.backend, tenant, 'Short-lived')).toBe(0);
});

test('a refused load notes no title', async () => {
  const refused = [
    aDevice({ orgId: tenant.orgId, software: installed('Refused') }),
    aDevice({ orgId: aDevice({ orgId: tenant.orgId }).id as string as Tenant['orgId'] }),
  ];
  await expect(loadFleet(world.backend, refused)).rejects.toThrow('the fleet was refused');
  expect(await known(orgScope(tenant.orgId), ['refused'])).toStrictEqual([]);
});
