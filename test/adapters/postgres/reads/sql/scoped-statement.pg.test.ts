/** The statements that bypass row-level security: none can be made without a scope. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { makeCustomFieldSource } from '#adapters/postgres/reads/filters/custom-field-source.ts';
import { makeSavedFilterReader } from '#adapters/postgres/reads/filters/saved-filter-reader.ts';
import { openScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { makeSearcher } from '#adapters/postgres/reads/search/searcher.ts';
import { type CompiledFilter, filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NO_TITLES } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { explanationToSql } from '#adapters/postgres/reads/sql/explain/explanation-to-sql.ts';
import { BEFORE_THE_NEWEST } from '#adapters/postgres/reads/sql/fleet/fleet-lists.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { SEARCH_BOUNDS, type SearchBounds } from '#adapters/postgres/reads/sql/search/search-bounds.ts';
import { searchTerms } from '#adapters/postgres/reads/sql/search/search-terms.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, FilterId } from '#domain/ids.ts';
import { STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import type { TwoTenants } from '#test/adapters/postgres/setup/two-tenants.ts';
import { orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import type { PostgresWorld } from '#test/support/database/postgres-world.ts';
import { parseFilter, type RawGroup } from '#test/support/filters.ts';
import type { Tenant } from '#test/support/tenant.ts';
import {
  endingWith,
  expectSearchScoped,
  ownerPredicate,
  scopePredicate,
  searchPredicate,
  withoutConstants,
} from './expect-scoped.ts';
import { ALL, HOSTILE, type HostileWorld, openHostileWorld } from './hostile-world.ts';

let world: PostgresWorld;
let tenants: TwoTenants;
let devices: readonly DeviceRecord[];
let catalog: FieldCatalog;
let partnerReach: HostileWorld['partnerReach'];
let idsInReach: HostileWorld['idsInReach'];

beforeAll(async () => {
  ({ world, tenants, devices, catalog, partnerReach, idsInReach } = await openHostileWorld());
});

afterAll(() => world.close());

function compile(group: RawGroup): CompiledFilter {
  const root = simplifyConditions(parseFilter(group, catalog));
  return filterToSql(root, { at: 0, titleIds: NO_TITLES });
}

describe('a scoped statement', () => {
  type Constructor = new (...given: unknown[]) => ScopedStatement;
  const Forged = ScopedStatement as unknown as Constructor;

  test.each([
    ['its constructor', () => new Forged('select 1')],
    ['its constructor and a key that looks right', () => new Forged('select 1', Symbol('scoped statement'))],
    ['reflection', () => Reflect.construct(ScopedStatement as unknown as Constructor, ['select 1'])],
    ['a subclass', () => new (class extends Forged {})('select 1', Symbol('scoped statement'))],
  ])('cannot be made by %s', (_how, make) => {
    expect(make).toThrow('scoped statements are made from a scope');
  });

  test.each([
    ['a text', () => 'select * from device'],
    ['nothing', () => null],
    ['an object that looks like one', () => ({ text: 'select * from device', name: 'x' })],
    ['an object with its prototype', () => Object.create(ScopedStatement.prototype)],
    [
      'an object whose prototype is a real one',
      () =>
        Object.create(ScopedStatement.preview(SYSTEM_SCOPE, compile(ALL), 1, 'split'), {
          text: { value: 'select * from device' },
        }),
    ],
  ])('cannot be replaced for the reader by %s', async (_what, make) => {
    const reader = openScopedReader({
      connection: world.connection('reader'),
      poolSize: 1,
      timeoutMs: 60_000,
    });
    const forged = make() as ScopedStatement;
    expect(ScopedStatement.isGenuine(forged)).toBe(false);
    const options = { onBehalfOf: 'a' };
    await expect(reader.read(forged, options)).rejects.toThrow('only scoped statements run here');
    await expect(reader.inSnapshot(options, (session) => session.query(forged))).rejects.toThrow(
      'only scoped statements run here',
    );
    await reader.close();
  });

  test('cannot be given another text', () => {
    const statement = ScopedStatement.preview(orgScope(tenants.a), compile(ALL), 1, 'split');
    const { text } = statement;
    const define = (target: object) => () =>
      Object.defineProperty(target, 'text', { value: 'select * from device' });
    for (const target of [statement, ScopedStatement.prototype]) expect(define(target)).toThrow(TypeError);
    expect(() => Object.assign(ScopedStatement, { isGenuine: () => true })).toThrow(TypeError);
    expect(statement.text).toBe(text);
  });

  test('refuses a condition that was not compiled', () => {
    const forged = { ...compile(ALL), condition: 'false) or (true' } as CompiledFilter;
    const explained = explanationToSql(listNodes(parseFilter(ALL)), { at: 0, titleIds: NO_TITLES });
    const make = [
      () => ScopedStatement.preview(orgScope(tenants.a), forged, 1, 'split'),
      () => ScopedStatement.preview(orgScope(tenants.a), forged, 1, 'materialized'),
      () => ScopedStatement.cursor(orgScope(tenants.a), forged),
      () => Object.assign(compile(ALL), { condition: 'true' }),
      () => ScopedStatement.explain(orgScope(tenants.a), { ...explained }, null, null),
      () => Object.assign(explained, { keys: ['1) from device d --'] }),
    ];
    for (const attempt of make) expect(attempt).toThrow();
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1; select 1'])(
    'refuses the limit %s',
    (limit) => {
      const count = limit as number;
      expect(() => ScopedStatement.preview(SYSTEM_SCOPE, compile(ALL), count, 'split')).toThrow();
      expect(() => ScopedStatement.next(count)).toThrow();
      expect(() => searchFor('a', SYSTEM_SCOPE, count)).toThrow();
      for (const bound of ['tried', 'round'] as const) {
        expect(() => searchFor('a', SYSTEM_SCOPE, 1, { ...SEARCH_BOUNDS, [bound]: count })).toThrow();
      }
    },
  );

  test('refuses an organization that is not a UUID', () => {
    const explained = explanationToSql(listNodes(parseFilter(ALL)), { at: 0, titleIds: NO_TITLES });
    for (const orgId of HOSTILE as readonly Tenant['orgId'][]) {
      const deviceId = orgId as string as DeviceId;
      expect(() => ScopedStatement.explain(SYSTEM_SCOPE, explained, deviceId, null)).toThrow('not a UUID');
      for (const scope of [orgScope(orgId), partnerReach([orgId, tenants.a])]) {
        expect(() => ScopedStatement.preview(scope, compile(ALL), 1, 'split')).toThrow('not a UUID');
        expect(() => searchFor('a', scope)).toThrow('not a UUID');
        expect(() => ScopedStatement.explain(scope, explained, null, null)).toThrow('not a UUID');
      }
    }
  });
});

describe('a search', () => {
  test('has nothing of the searched text in its SQL, and its values cannot be changed', () => {
    for (const scope of Object.values(tenants.scopes)) {
      const statement = searchFor('a', scope);
      for (const text of HOSTILE) expect(searchFor(text, scope).text).toBe(statement.text);
      expect(() => Object.assign(statement.values, ['b'])).toThrow(TypeError);
    }
  });

  test('needs at least one category', () => {
    expect(() => ScopedStatement.search(SYSTEM_SCOPE, [], searchTerms('a'), 1)).toThrow();
  });

  test('looks up only rows in its scope', () => {
    for (const scope of Object.values(tenants.scopes)) {
      for (const category of STORED_CATEGORIES) {
        for (const bounds of [SEARCH_BOUNDS, { ...SEARCH_BOUNDS, apart: 1 }]) {
          const { text } = ScopedStatement.search(scope, [category], searchTerms('a'), 7, bounds);
          expectSearchScoped(text, scope, category, bounds);
          const { text: crossing } = ScopedStatement.search(
            scope,
            [category],
            searchTerms('\u001f'),
            7,
            bounds,
          );
          expectSearchScoped(crossing, scope, category, bounds);
          expect(crossing).not.toBe(text);
          // A statement that was built before is reused only for an equal scope and limit.
          const again = ScopedStatement.search(
            structuredClone(scope),
            [category],
            searchTerms('b'),
            7,
            bounds,
          );
          expect(again.text).toBe(text);
          const other = ScopedStatement.search(scope, [category], searchTerms('a'), 8, bounds);
          expect(other.text).toBe(text.replaceAll(/(?<!\$)\b7\b/g, '8'));
        }
      }
    }
  });

  test.each(['all', 'sampled'] as const)(
    'for similar titles (%s) looks up only rows in its scope, whatever the text',
    (compared) => {
      for (const scope of Object.values(tenants.scopes)) {
        for (const category of STORED_CATEGORIES) {
          const statement = ScopedStatement.similar(scope, [category], 'a', 7, compared);
          for (const text of HOSTILE) {
            expect(ScopedStatement.similar(scope, [category], text, 7, compared).text).toBe(statement.text);
          }
          const code = withoutConstants(statement.text).replaceAll(/\s+/g, ' ');
          const inScope = withoutConstants(searchPredicate(scope, category)).replaceAll(/\s+/g, ' ');
          const [thing] = category.split(/s$/);
          const looks = code.split(`from ${thing}_search t where `).slice(1);
          expect(looks).toHaveLength(2);
          for (const look of looks) {
            expect(look).toMatch(
              new RegExp(
                `^(?:not )?t\\.is_odd (?:and search_alike\\(t.title, t.words\\) %> \\$1 |and \\(uuid_hash\\(t.id\\) & 255\\) = 0 )?and ${RegExp.escape(inScope)}`,
              ),
            );
          }
          expect(code.match(/\b(?:device|script|alert)(?:_search)? [a-z]\b/g)).toHaveLength(3);
          expect(code).toMatch(endingWith(` f join ${thing} o on o.id = f.id`));
        }
      }
      expect(() => ScopedStatement.similar(SYSTEM_SCOPE, [], 'a', 1, 'all')).toThrow();
      expect(() => ScopedStatement.similar(SYSTEM_SCOPE, ['alerts'], 'a', 0, 'all')).toThrow();
    },
  );

  test.each([
    ['with the usual bounds', SEARCH_BOUNDS],
    ['block by block', { few: 0, apart: 0, ahead: 1, tried: 1, round: 1 }],
  ])('finds nothing of another tenant, %s', async (_way, bounds) => {
    const reader = openScopedReader({
      connection: world.connection('reader', { plan_cache_mode: 'force_generic_plan' }),
      poolSize: 1,
      timeoutMs: 60_000,
    });
    const { search } = makeSearcher(reader, 60_000, bounds);
    const request = { limit: 50, categories: STORED_CATEGORIES, onBehalfOf: 'a' };
    for (const scope of Object.values(tenants.scopes)) {
      const inReach = await idsInReach(scope);
      for (const text of HOSTILE) {
        const found = await search({ ...request, scope, text });
        const ids = found.ok ? found.value.devices.map(({ id }) => id) : ['refused'];
        expect(ids.filter((id) => !inReach.has(id))).toStrictEqual([]);
        const own = devices.filter(({ id, hostname }) => hostname === text && inReach.has(id));
        expect(own.filter(({ id }) => !ids.includes(id))).toStrictEqual([]);
      }
    }
    await reader.close();
  });
});

describe('a look-up of saved filters and custom fields', () => {
  const ID = '00000000-0000-7000-8000-000000000000' as FilterId;

  test('has nothing of the id in its SQL, and its values cannot be changed', () => {
    for (const scope of Object.values(tenants.scopes)) {
      const statement = ScopedStatement.savedFilters(scope, [ID]);
      for (const id of HOSTILE) {
        expect(ScopedStatement.savedFilters(scope, [id as FilterId]).text).toBe(statement.text);
      }
      expect(statement.values).toStrictEqual([[ID]]);
      expect(() => Object.assign(statement.values, [tenants.a])).toThrow(TypeError);
    }
  });

  test('refuses an organization that is not a UUID', () => {
    for (const orgId of HOSTILE as readonly Tenant['orgId'][]) {
      for (const scope of [orgScope(orgId), partnerReach([orgId, tenants.a])]) {
        expect(() => ScopedStatement.savedFilters(scope, [ID])).toThrow('not a UUID');
        expect(() => ScopedStatement.savedFilterHeads(scope, BEFORE_THE_NEWEST, 1)).toThrow('not a UUID');
        expect(() => ScopedStatement.customFields(scope)).toThrow('not a UUID');
      }
    }
  });

  test('is limited to its scope by its SQL', () => {
    for (const scope of Object.values(tenants.scopes)) {
      const inScope = ownerPredicate(scope, 'f');
      const organizations = scopePredicate(scope, 'o').replace('o.org_id', 'o.id');
      const [find, list, fields] = [
        ScopedStatement.savedFilters(scope, [ID]),
        ScopedStatement.savedFilterHeads(scope, BEFORE_THE_NEWEST, 500),
        ScopedStatement.customFields(scope),
      ].map(({ text }) => text.replaceAll(/\s+/g, ' '));
      expect(find).toMatch(
        endingWith(
          ` from saved_filter f where ${inScope} and f.id = any($1::uuid[]) order by f.created_at desc, f.id desc`,
        ),
      );
      expect(list).toMatch(
        endingWith(
          ` from saved_filter f where ${inScope} and (f.created_at, f.id) < ($1::timestamptz, $2::uuid) order by f.created_at desc, f.id desc limit 500`,
        ),
      );
      expect(fields).toMatch(
        endingWith(
          ` from custom_field f join organization o on o.id = f.org_id or o.partner_id = f.partner_id where ${organizations} group by f.id order by f.key, f.id`,
        ),
      );
      const ofFilters = scope.kind === 'system' ? 1 : scope.kind === 'partner' && scope.isWhole ? 4 : 3;
      for (const text of [find, list, fields]) {
        const pieces = text?.match(/ from | join | or | union |;|--|\/\*/g);
        expect(pieces).toHaveLength(text === fields ? 3 : ofFilters);
      }
    }
  });

  test('finds everything in scope, and nothing of another tenant', async () => {
    const reader = openScopedReader({
      connection: world.connection('reader', { plan_cache_mode: 'force_generic_plan' }),
      poolSize: 1,
      timeoutMs: 60_000,
    });
    const filters = makeSavedFilterReader(reader);
    const customFields = makeCustomFieldSource(reader);
    type Row = { readonly id: FilterId; readonly visibleIn: readonly string[] };
    const saved = await world.query<Row>(
      'owner',
      `select id, array(select o.id::text from organization o where o.id = f.org_id or o.partner_id = f.partner_id
                        order by o.id) as "visibleIn" from saved_filter f`,
    );
    expect(new Set(saved.map(({ visibleIn }) => visibleIn.join()))).toStrictEqual(
      new Set([tenants.a, tenants.b, tenants.c, [tenants.a, tenants.b].toSorted().join()]),
    );
    for (const scope of Object.values(tenants.scopes)) {
      const orgIds: readonly string[] = reachableOrgIds(scope) ?? [tenants.a, tenants.b, tenants.c];
      const inReach = saved
        .filter(({ visibleIn }) => visibleIn.some((orgId) => orgIds.includes(orgId)))
        .map(({ id }) => id);
      expect((await Array.fromAsync(filters.list(scope))).map(({ id }) => id).toSorted()).toStrictEqual(
        inReach.toSorted(),
      );
      for (const { id } of saved) {
        expect((await filters.find(scope, id))?.id ?? null).toBe(inReach.includes(id) ? id : null);
      }
      const definitions = await customFields(scope);
      // Each organization has two fields, and one of its partner's.
      const seen = definitions.flatMap((definition) =>
        definition.orgIds.map((orgId) => [definition.key, orgId]),
      );
      const expected = orgIds.flatMap((orgId) => ['choice', 'own', 'shared'].map((key) => [key, orgId]));
      expect(seen.map(String).toSorted()).toStrictEqual(expected.map(String).toSorted());
    }
    await reader.close();
  });

  test('says that the database is busy if it does not get a connection in time', async () => {
    const reader = openScopedReader({
      connection: world.connection('reader'),
      poolSize: 1,
      timeoutMs: 300,
      maxWaitMs: 100,
    });
    const held = Promise.withResolvers<void>();
    const holding = reader.inSnapshot({ onBehalfOf: 'somebody' }, () => held.promise);
    const late = Array.fromAsync(makeSavedFilterReader(reader).list(SYSTEM_SCOPE));
    await expect(late).rejects.toStrictEqual(new DatabaseBusyError());
    await expect(makeCustomFieldSource(reader)(SYSTEM_SCOPE)).rejects.toStrictEqual(new DatabaseBusyError());
    held.resolve();
    await holding;
    expect(await makeCustomFieldSource(reader)(orgScope(tenants.a))).toHaveLength(3);
    await reader.close();
  });
});

function searchFor(
  text: string,
  scope: AccessScope,
  limit = 1,
  bounds: SearchBounds = SEARCH_BOUNDS,
): ScopedStatement {
  return ScopedStatement.search(scope, STORED_CATEGORIES, searchTerms(text), limit, bounds);
}
