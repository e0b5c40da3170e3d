/** The statements that run past the second wall: none can be made without a scope, and none gets out of it. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { digestSecret } from '#adapters/auth/digest-secret.ts';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { makeDeviceExporter } from '#adapters/postgres/reads/devices/device-exporter.ts';
import { makeCustomFieldSource } from '#adapters/postgres/reads/filters/custom-field-source.ts';
import { makeDeviceMatcher } from '#adapters/postgres/reads/filters/device-matcher.ts';
import { makeFilterExplainer } from '#adapters/postgres/reads/filters/filter-explainer.ts';
import { makeSavedFilterReader } from '#adapters/postgres/reads/filters/saved-filter-reader.ts';
import { openScopedReader, type ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { makeSearcher } from '#adapters/postgres/reads/search/searcher.ts';
import { type CompiledFilter, filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NO_TITLES } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { explanationToSql } from '#adapters/postgres/reads/sql/explain/explanation-to-sql.ts';
import { BEFORE_THE_NEWEST } from '#adapters/postgres/reads/sql/fleet/stored-filters.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { SEARCH_BOUNDS, type SearchBounds } from '#adapters/postgres/reads/sql/search/search-bounds.ts';
import { searchTerms } from '#adapters/postgres/reads/sql/search/search-terms.ts';
import { openOrm } from '#adapters/postgres/transactional/orm.ts';
import { makeUnitOfWork } from '#adapters/postgres/transactional/unit-of-work.ts';
import { systemClock } from '#adapters/system/clock.ts';
import { uuidV7 } from '#adapters/system/id-generator.ts';
import { makeSecretBox } from '#adapters/system/secret-box.ts';
import { MAX_EXPLAINED_NODES } from '#application/filters/evaluate/run-explain.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { fieldColumn, OWN_COLUMN_KEYS, ownColumn } from '#domain/export/export-column.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { countNodes, listNodes } from '#domain/filter/conditions/list-nodes.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, FilterId } from '#domain/ids.ts';
import { err } from '#domain/result.ts';
import { STORED_CATEGORIES, type StoredCategory } from '#domain/search/search-category.ts';
import {
  loadTwoTenants,
  SCOPE_NAMES,
  type ScopeName,
  type TwoTenants,
} from '#test/adapters/postgres/setup/two-tenants.ts';
import {
  aCustomField,
  aDevice,
  anAuditEntry,
  aSavedFilter,
  orgScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { and, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { leavesOf, randomFilter } from '#test/support/random/random-filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const SOURCES = resolve(import.meta.dirname, '../../../../src');
const STATEMENTS = 'adapters/postgres/reads/sql/scoped-statement.ts';
const READER = 'adapters/postgres/reads/running/scoped-reader.ts';
const WAL_PROBE = 'adapters/postgres/reads/replicas/wal-probe.ts';
const BACKEND = 'adapters/postgres/postgres-backend.ts';

/** Texts that would like to be SQL. */
const HOSTILE: readonly string[] = [
  `') or true --`,
  `') or true; select * from device --`,
  `\\') or true --`,
  `\\\\') or true --`,
  `'::uuid) or true --`,
  `}') or ('{a}'='{a}`,
  `}'::text[]) or true --`,
  '$1',
  '$$) or true --',
  '$x$',
  '\\',
  '\\\\',
  `'`,
  `''`,
  `"`,
  '`',
  '{a,b}',
  '{',
  '/*',
  '*/ or true',
  '--',
  ';',
  'NULL',
  '\\N',
  'E\\x27',
  '\\u0027) or true --',
  'U&\\0027',
  '\u02BC) or true --',
  '\uFF07) or true --',
  '%',
  '_',
  '😀',
  '\u2028) or true --',
];

let world: PostgresWorld;
let tenants: TwoTenants;
let devices: readonly DeviceRecord[];
let catalog: FieldCatalog;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  tenants = await loadTwoTenants(world);
  const { a, b, c } = tenants;
  devices = [a, b, c].flatMap((orgId) => HOSTILE.map((text) => aHostileDevice(orgId, text)));
  await loadFleet(world.backend, [
    ...[a, b, c].map((orgId) =>
      aCustomField({
        owner: { kind: 'organization', orgId },
        key: 'choice',
        type: 'dropdown',
        choices: HOSTILE,
      }),
    ),
    ...devices,
  ]);
  const definitions = await world.backend.customFields(SYSTEM_SCOPE);
  catalog = buildCatalog(resolveCustomFields(definitions));
});

afterAll(() => world.close());

/** A device that has the text wherever a text goes. */
function aHostileDevice(orgId: Tenant['orgId'], text: string): DeviceRecord {
  return aDevice({
    orgId,
    hostname: text,
    displayName: text,
    agentVersion: text,
    osVersion: text,
    osBuild: text,
    lastUser: text,
    lastSeenIp: text,
    tags: [text],
    osType: 'linux',
    lastSeenAt: 0,
    uptimeSeconds: 5,
    hardware: {
      manufacturer: text,
      model: text,
      serialNumber: text,
      cpuModel: text,
      gpuModel: text,
      cpuCores: 4,
      ramTotalMb: null,
      diskTotalGb: null,
    },
    network: [{ ipAddress: text, publicIp: text, macAddress: text }],
    software: [{ name: text, version: text }],
    custom: new Map([
      ['own', text],
      ['shared', text],
      ['choice', text],
    ]),
  });
}

function compile(group: RawGroup): CompiledFilter {
  const root = simplifyConditions(parseFilter(group, catalog));
  return filterToSql(root, { at: 0, titleIds: NO_TITLES });
}

const ALL = and({ field: 'hostname', operator: 'isNotNull' });

describe('a scoped statement', () => {
  type Constructor = new (...given: unknown[]) => ScopedStatement;
  const Forged = ScopedStatement as unknown as Constructor;

  test.each([
    ['its constructor', () => new Forged('select 1')],
    ['its constructor and a key that looks right', () => new Forged('select 1', Symbol('scoped statement'))],
    ['reflection', () => Reflect.construct(ScopedStatement as unknown as Constructor, ['select 1'])],
    ['a class of its own', () => new (class extends Forged {})('select 1', Symbol('scoped statement'))],
  ])('cannot be made by %s', (_how, make) => {
    expect(make).toThrow('scoped statements are made from a scope');
  });

  test.each([
    ['a text', () => 'select * from device'],
    ['nothing', () => null],
    ['what looks like one', () => ({ text: 'select * from device', name: 'x' })],
    ['what has its prototype', () => Object.create(ScopedStatement.prototype)],
    [
      'what has a real one for its prototype',
      () =>
        Object.create(ScopedStatement.preview(SYSTEM_SCOPE, compile(ALL), 1, 'split'), {
          text: { value: 'select * from device' },
        }),
    ],
  ])('is not what the reader takes in its place: %s', async (_what, make) => {
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

  test('keeps its text, whoever has it', () => {
    const statement = ScopedStatement.preview(orgScope(tenants.a), compile(ALL), 1, 'split');
    const { text } = statement;
    const define = (target: object) => () =>
      Object.defineProperty(target, 'text', { value: 'select * from device' });
    for (const target of [statement, ScopedStatement.prototype]) expect(define(target)).toThrow(TypeError);
    expect(() => Object.assign(ScopedStatement, { isGenuine: () => true })).toThrow(TypeError);
    expect(statement.text).toBe(text);
  });

  test('takes no condition that was not compiled', () => {
    const forged = { ...compile(ALL), condition: 'false) or (true' } as CompiledFilter;
    const explained = explanationToSql(listNodes(parseFilter(ALL)), { at: 0, titleIds: NO_TITLES });
    const make = [
      () => ScopedStatement.preview(orgScope(tenants.a), forged, 1, 'split'),
      () => ScopedStatement.preview(orgScope(tenants.a), forged, 1, 'materialized'),
      () => ScopedStatement.cursor(orgScope(tenants.a), forged),
      () => Object.assign(compile(ALL), { condition: 'true' }),
      () => ScopedStatement.explain(orgScope(tenants.a), { ...explained }, null),
      () => Object.assign(explained, { keys: ['1) from device d --'] }),
    ];
    for (const attempt of make) expect(attempt).toThrow();
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1; select 1'])(
    'takes no limit such as %s',
    (limit) => {
      const count = limit as number;
      expect(() => ScopedStatement.preview(SYSTEM_SCOPE, compile(ALL), count, 'split')).toThrow();
      expect(() => ScopedStatement.next(count)).toThrow();
      expect(() => searchFor('a', SYSTEM_SCOPE, count)).toThrow();
      const first = count === 0 ? -1 : count;
      expect(() => searchFor('a', SYSTEM_SCOPE, 1, { ...SEARCH_BOUNDS, first })).toThrow();
    },
  );

  test('takes no organization that is not a UUID', () => {
    const explained = explanationToSql(listNodes(parseFilter(ALL)), { at: 0, titleIds: NO_TITLES });
    for (const orgId of HOSTILE as readonly Tenant['orgId'][]) {
      const deviceId = orgId as string as DeviceId;
      expect(() => ScopedStatement.explain(SYSTEM_SCOPE, explained, deviceId)).toThrow('not a UUID');
      for (const scope of [orgScope(orgId), partnerReach([orgId, tenants.a])]) {
        expect(() => ScopedStatement.preview(scope, compile(ALL), 1, 'split')).toThrow('not a UUID');
        expect(() => searchFor('a', scope)).toThrow('not a UUID');
        expect(() => ScopedStatement.explain(scope, explained, null)).toThrow('not a UUID');
      }
    }
  });
});

describe('a search', () => {
  test('has nothing of the text in its own, and cannot be given another', () => {
    for (const scope of Object.values(tenants.scopes)) {
      const statement = searchFor('a', scope);
      for (const text of HOSTILE) expect(searchFor(text, scope).text).toBe(statement.text);
      expect(() => Object.assign(statement.values, ['b'])).toThrow(TypeError);
    }
  });

  test('is in at least one category', () => {
    expect(() => ScopedStatement.search(SYSTEM_SCOPE, [], searchTerms('a'), 1)).toThrow();
  });

  test('looks up no row but in its scope', () => {
    for (const scope of Object.values(tenants.scopes)) {
      for (const category of STORED_CATEGORIES) {
        for (const bounds of [SEARCH_BOUNDS, { ...SEARCH_BOUNDS, apart: 1 }]) {
          const { text } = ScopedStatement.search(scope, [category], searchTerms('a'), 7, bounds);
          expectSearchScoped(text, scope, category, bounds);
        }
      }
    }
  });

  test.each(['all', 'sampled'] as const)(
    'after what is similar (%s) looks up no row but in its scope, whatever the text',
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
                `^(?:not )?t\\.is_odd (?:and search_alike\\(t.title, t.words\\) % \\$1 |and \\(uuid_hash\\(t.id\\) & 255\\) = 0 )?and ${RegExp.escape(inScope)}`,
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
    ['as it comes', SEARCH_BOUNDS],
    ['block by block', { peeked: 0, sorted: 1, apart: 0, sight: 1, first: 1, next: 1 }],
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

  test('has nothing of the id in its text, and cannot be given another', () => {
    for (const scope of Object.values(tenants.scopes)) {
      const statement = ScopedStatement.savedFilters(scope, [ID]);
      for (const id of HOSTILE) {
        expect(ScopedStatement.savedFilters(scope, [id as FilterId]).text).toBe(statement.text);
      }
      expect(statement.values).toStrictEqual([[ID]]);
      expect(() => Object.assign(statement.values, [tenants.a])).toThrow(TypeError);
    }
  });

  test('takes no organization that is not a UUID', () => {
    for (const orgId of HOSTILE as readonly Tenant['orgId'][]) {
      for (const scope of [orgScope(orgId), partnerReach([orgId, tenants.a])]) {
        expect(() => ScopedStatement.savedFilters(scope, [ID])).toThrow('not a UUID');
        expect(() => ScopedStatement.savedFilterHeads(scope, BEFORE_THE_NEWEST, 1)).toThrow('not a UUID');
        expect(() => ScopedStatement.customFields(scope)).toThrow('not a UUID');
      }
    }
  });

  test('is held to its scope by its own text', () => {
    for (const scope of Object.values(tenants.scopes)) {
      const inScope = scopePredicate(scope, 'f');
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
      for (const text of [find, list, fields]) {
        expect(text?.match(/ from | join | or | union |;|--|\/\*/g)).toHaveLength(text === fields ? 3 : 1);
      }
    }
  });

  test('finds all in scope, and nothing of another tenant', async () => {
    const reader = openScopedReader({
      connection: world.connection('reader', { plan_cache_mode: 'force_generic_plan' }),
      poolSize: 1,
      timeoutMs: 60_000,
    });
    const filters = makeSavedFilterReader(reader);
    const customFields = makeCustomFieldSource(reader);
    type Row = { readonly id: FilterId; readonly org_id: string };
    const saved = await world.query<Row>('owner', 'select id, org_id from saved_filter');
    expect(new Set(saved.map(({ org_id }) => org_id))).toStrictEqual(
      new Set([tenants.a, tenants.b, tenants.c]),
    );
    for (const scope of Object.values(tenants.scopes)) {
      const orgIds: readonly string[] = reachableOrgIds(scope) ?? [tenants.a, tenants.b, tenants.c];
      const inReach = saved.filter(({ org_id }) => orgIds.includes(org_id)).map(({ id }) => id);
      expect((await Array.fromAsync(filters.list(scope))).map(({ id }) => id).toSorted()).toStrictEqual(
        inReach.toSorted(),
      );
      for (const { id } of saved) {
        expect((await filters.find(scope, id))?.id ?? null).toBe(inReach.includes(id) ? id : null);
      }
      const definitions = await customFields(scope);
      // Each organization has two fields of its own, and one of its partner's.
      const seen = definitions.flatMap((definition) =>
        definition.orgIds.map((orgId) => [definition.key, orgId]),
      );
      const expected = orgIds.flatMap((orgId) => ['choice', 'own', 'shared'].map((key) => [key, orgId]));
      expect(seen.map(String).toSorted()).toStrictEqual(expected.map(String).toSorted());
    }
    await reader.close();
  });

  test('says that the database is busy where it does not come in time', async () => {
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

describe('the source', () => {
  test('makes scoped statements in one file', async () => {
    expect(await filesWith(/new ScopedStatement\(/)).toStrictEqual([STATEMENTS]);
  });

  test('takes the word for SQL of nothing that was not written in the folder of SQL', async () => {
    const files = await filesWith(/\bas Sql\b/);
    expect(files.filter((file) => !file.startsWith('adapters/postgres/reads/sql/'))).toStrictEqual([]);
  });

  test('gives the reading role to the reader and to nobody else', async () => {
    expect(await filesWith(/openScopedReader\(/)).toStrictEqual([BACKEND, READER]);
    expect(await filesWith(/roles\.reader/)).toStrictEqual([BACKEND]);
    expect(await filesWith(/role_password_reader/)).toStrictEqual([
      'adapters/postgres/setup/security/secure-database.ts',
    ]);
    const [, given] = (await readSource(BACKEND)).split('openScopedReader({');
    expect(given?.split('});')[0]).toContain('...asReader');
    expect((await readSource(BACKEND)).match(/roles\.reader/g)).toHaveLength(1);
    // Beside the reader, who asks the servers how far they are.
    expect((await readSource(BACKEND)).match(/asReader/g)).toHaveLength(3);
    expect(await filesWith(/new WalProbe\(/)).toStrictEqual([
      'adapters/postgres/reads/replicas/open-replication.ts',
    ]);
    expect((await readSource(WAL_PROBE)).match(/\.query<.*/g)).toStrictEqual([
      '.query<PositionRow>(this.#question);',
      '.query<{ position: Position }>(COMMITTED);',
    ]);
  });

  test('has the reader send what it was given, and a few words of its own', async () => {
    const sent = async (file: string) =>
      [...(await readSource(file)).matchAll(/\.query(?:<R>)?\((.*)\);?/g)].map(([, given]) => given);
    expect(await sent('adapters/postgres/reads/running/statement-runner.ts')).toStrictEqual([
      'new TextRows(text, known?.message)',
      '{ text, ...form }',
      `{ text: \`execute \${name}\`, ...form }`,
      '{ name, text, ...form }',
    ]);
    expect(await filesWith(/new TextRows\(/)).toStrictEqual([
      'adapters/postgres/reads/running/statement-runner.ts',
    ]);
    expect(await sent('adapters/postgres/reads/running/text-rows.ts')).toStrictEqual(['this.#text']);
    // What is written past the driver runs a statement that it has prepared on the same connection.
    const written = await filesWith(/stream\.write\(/);
    expect(written.filter((file) => file.startsWith('adapters/postgres/reads/'))).toStrictEqual([
      'adapters/postgres/reads/running/text-rows.ts',
    ]);
    expect(await filesWith(/preparedMessage\(/)).toStrictEqual([
      'adapters/postgres/reads/running/prepared-message.ts',
      'adapters/postgres/reads/running/statement-runner.ts',
    ]);
    expect(await sent(READER)).toStrictEqual([
      "'begin'",
      'COMPILE_PATTERNS, [patterns]',
      "'rollback')",
      "'rollback').catch(() => undefined",
      'statement, options)',
      'options.avoidsScans === true ? BEGIN_WITHOUT_SCANS : BEGIN)',
      "'commit')",
    ]);
    expect(await readSource(READER)).toContain(
      "const COMPILE_PATTERNS = `select count(*) from unnest($1::text[]) p where '' ~ p collate patterns`;",
    );
    expect((await readSource(READER)).match(/const BEGIN.*/g)).toStrictEqual([
      "const BEGIN = 'begin isolation level repeatable read read only';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source
      'const BEGIN_WITHOUT_SCANS = `${BEGIN}; set local enable_seqscan = off`;',
    ]);
    const abandoned = await readSource('adapters/postgres/reads/running/abandoned-statements.ts');
    expect([...abandoned.matchAll(/\.query\((.*)\)\.then/g)].map(([, given]) => given)).toStrictEqual([
      "'select pg_cancel_backend($1)', [pid]",
    ]);
  });
});

describe('whatever is asked for, in whatever scope', () => {
  test('no statement is without its scope, and no device of another tenant comes back', async () => {
    const texts: string[] = [];
    const reader = recording(texts);
    const matcher = makeDeviceMatcher(reader, { plansWindows: true });
    const explainFilter = makeFilterExplainer(reader);
    const exportDevices = makeDeviceExporter(reader, 60_000);
    const fieldColumns = [...catalog.values()].flatMap((entry) =>
      entry.kind === 'field' ? (fieldColumn(entry.field) ?? []) : [],
    );
    const columns = [...OWN_COLUMN_KEYS.map(ownColumn), ...fieldColumns];
    const known = devices.map(toDevice);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<ScopeName>(...SCOPE_NAMES),
        randomFilter(leavesOf(catalog, known)),
        async (scopeName, group) => {
          texts.length = 0;
          const scope = tenants.scopes[scopeName];
          const filter = parseFilter(group, catalog);
          const request = { filter, scope, at: 0, onBehalfOf: 'a' };
          const found = await matcher.preview(request, 100);
          if (!found.ok) expect(['invalid-pattern', 'timeout']).toContain(found.error.kind);
          const ids = found.ok ? found.value.devices.map(({ id }) => id) : [];
          if (found.ok) {
            const streamed = (await Array.fromAsync(matcher.streamIds(request))).flat();
            expect(streamed).toHaveLength(found.value.totalCount);
            const exported = (await Array.fromAsync(exportDevices({ ...request, columns }))).flat();
            expect(exported).toHaveLength(found.value.totalCount);
            ids.push(...streamed, ...exported.map(([id]) => id as DeviceId));
          }
          if (countNodes(filter) <= MAX_EXPLAINED_NODES) {
            const [device] = known;
            const explained = await explainFilter({ ...request, deviceId: device?.id ?? null });
            const isInReach = (await idsInReach(scope)).has(device?.id ?? '');
            // A preview may leave out conditions that decide nothing, and with them a pattern that is refused.
            const isRefused = !explained.ok && ['invalid-pattern', 'timeout'].includes(explained.error.kind);
            if (isInReach && !isRefused) expect(explained.ok).toBe(true);
            if (!isInReach && !isRefused) expect(explained).toStrictEqual(err({ kind: 'unknown-device' }));
          }
          expect(texts.length).toBeGreaterThan(0);
          for (const text of texts) expectScoped(text, scope);
          const inReach = await idsInReach(scope);
          expect(ids.filter((id) => !inReach.has(id))).toStrictEqual([]);
        },
      ),
      { numRuns: 400 },
    );
    await reader.close();
  });

  test.each(HOSTILE)('a device called %j is found in scope by its name, and no other', async (text) => {
    for (const scope of [orgScope(tenants.a), partnerReach([tenants.a, tenants.c])]) {
      const orgIds = reachableOrgIds(scope) ?? [];
      const expected = devices.filter(({ orgId, hostname }) => orgIds.includes(orgId) && hostname === text);
      for (const field of ['hostname', 'tags', 'software.installed', 'custom.choice', 'network.macAddress']) {
        const operators = field === 'tags' ? ['contains'] : ['equals', 'in'];
        for (const operator of operators) {
          const value = operator === 'in' ? [text] : text;
          const filter = parseFilter(and({ field, operator, value }), catalog);
          const found = await world.backend.matcher.preview({ filter, scope, at: 0, onBehalfOf: 'a' }, 100);
          // Names of software are compared without regard to case, and none of these differ in it alone.
          expect(found.ok && found.value.devices.map(({ id }) => id).toSorted()).toStrictEqual(
            expected.map(({ id }) => id).toSorted(),
          );
        }
      }
    }
  });
});

describe('two tenants on one small pool', () => {
  test('get nothing of each other in 200 requests in a row, given up and failed ones among them', async () => {
    const reader = openScopedReader({
      connection: world.connection('reader'),
      poolSize: 2,
      timeoutMs: 60_000,
    });
    const { work: orm } = await openOrm(world.connection('app'), {
      work: 3,
      identification: 1,
      'sign-in': 1,
    });
    const matcher = makeDeviceMatcher(reader, { plansWindows: true });
    const ports = {
      filters: makeSavedFilterReader(reader),
      unitOfWork: makeUnitOfWork({
        orm,
        secrets: makeSecretBox('secret'),
        clock: systemClock,
        newId: uuidV7,
        digestSecret,
      }),
      customFields: makeCustomFieldSource(reader),
    };
    const two = [await createTenant(world.backend), await createTenant(world.backend)];
    const filters = two.map(({ orgId, userId }) => aSavedFilter({ orgId, createdBy: userId, name: orgId }));
    for (const { orgId } of two) {
      await loadFleet(world.backend, [
        aDevice({ orgId, hostname: orgId }),
        aCustomField({ owner: { kind: 'organization', orgId }, key: 'own', name: orgId }),
      ]);
    }
    for (const filter of filters) {
      await ports.unitOfWork(orgScope(filter.orgId), (tx) => tx.filters.add(filter));
    }
    const ask = async ({ orgId }: Tenant, i: number): Promise<unknown> => {
      const scope = orgScope(orgId);
      const request = { filter: parseFilter(ALL), scope, at: 0, onBehalfOf: orgId };
      switch (i % 6) {
        case 0: {
          const found = await matcher.preview(request, 10);
          return found.ok && found.value.devices.map(({ hostname }) => hostname);
        }
        case 1: {
          const controller = new AbortController();
          setImmediate(() => controller.abort());
          const found = await matcher.preview({ ...request, signal: controller.signal }, 10);
          return found.ok ? found.value.devices.map(({ hostname }) => hostname) : [orgId];
        }
        case 2:
          return (await Array.fromAsync(ports.filters.list(scope))).map(({ name }) => name);
        case 3:
          return (await ports.customFields(scope)).map(({ label }) => label);
        case 4:
          return ports.unitOfWork(scope, async (tx) => {
            await tx.audit(anAuditEntry({ orgId }));
            const other = two.find((tenant) => tenant.orgId !== orgId);
            const foreign = filters.find((filter) => filter.orgId === other?.orgId);
            if (foreign === undefined) throw new Error('there is no other filter');
            return (await tx.filters.findForUpdate(foreign.id)) === null ? [orgId] : ['not theirs'];
          });
        default:
          return ports
            .unitOfWork(scope, () => Promise.reject(new Error('thought better of it')))
            .catch(() => [orgId]);
      }
    };
    const all = Array.from({ length: 200 }, (_, i) => ({
      tenant: two[(i * 7 + (i >> 3)) % 2] as Tenant,
      i,
    }));
    const answers = await Promise.all(all.map(({ tenant, i }) => ask(tenant, i)));
    expect(answers).toStrictEqual(all.map(({ tenant }) => [tenant.orgId]));
    await Promise.all([reader.close(), orm.close()]);
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

function partnerReach(orgIds: readonly Tenant['orgId'][]): AccessScope {
  return { kind: 'partner', partnerId: tenants.p, orgIds, isWhole: false };
}

function toDevice({ kind: _kind, patches: _patches, ...device }: DeviceRecord): Device {
  return { ...device, pendingPatchCount: 0, criticalAlertCount: 0 };
}

const reachable = new Map<AccessScope, ReadonlySet<string>>();

async function idsInReach(scope: AccessScope): Promise<ReadonlySet<string>> {
  const known = reachable.get(scope);
  if (known !== undefined) return known;
  const rows = await world.query<{ id: string; org_id: string }>('owner', 'select id, org_id from device');
  const orgIds: readonly string[] | null = reachableOrgIds(scope);
  const ids = rows.filter(({ org_id }) => orgIds?.includes(org_id) ?? true).map(({ id }) => id);
  reachable.set(scope, new Set(ids));
  return new Set(ids);
}

/** A reader that notes every statement, and runs it. */
function recording(texts: string[]): ScopedReader {
  const reader = openScopedReader({ connection: world.connection('reader'), poolSize: 1, timeoutMs: 60_000 });
  const noted = (statement: ScopedStatement) => {
    texts.push(statement.text);
    return statement;
  };
  return {
    ...reader,
    read: (statement, options) => reader.read(noted(statement), options),
    inSnapshot: (options, work) =>
      reader.inSnapshot(options, (session) =>
        work({ query: (statement, isNamed) => session.query(noted(statement), isNamed) }),
      ),
  };
}

/** The organization of a device and its site, which is of the same organization. */
const OWNERS =
  /^(?: left join organization o on o\.id = d\.org_id)?(?: left join site l on l\.id = d\.site_id and l\.org_id = d\.org_id)?(?= where )/;

/** Every look into a table of devices is held to the scope, and what was compiled stays in its parentheses. */
function expectScoped(text: string, scope: AccessScope): void {
  const code = withoutConstants(text).replaceAll(/\s+/g, ' ');
  expect(code).not.toMatch(/--|\/\*|;|\$|\\/);
  const inScope = (alias: string) => withoutConstants(scopePredicate(scope, alias));
  for (const { 0: table, index } of code.matchAll(/\bdevice(?:_\w+)? \w\b/g)) {
    const alias = table.slice(-1);
    const before = code.slice(0, index);
    const after = code.slice(index + table.length);
    if (before.endsWith('exists (select 1 from ')) {
      expect(after).toMatch(startingWith(` where ${alias}.device_id = d.id and `));
    } else if (before.endsWith(' left join ')) {
      expect(after).toMatch(startingWith(` on ${alias}.device_id = d.id and ${inScope(alias)}`));
    } else if (/ as value from $/.test(before)) {
      // The interfaces of a device that was found in scope.
      expect(after).toMatch(startingWith(` where ${alias}.device_id = d.id and `));
    } else if (before.endsWith('select t.name from ')) {
      // Its software.
      expect(after).toMatch(
        startingWith(
          ` join software_title t on t.id = any(${alias}.title_ids) where ${alias}.device_id = d.id `,
        ),
      );
    } else if (/\(select json_agg\([^()]*\) from $/.test(before)) {
      // Addresses and software of a device that is exported.
      const titles = table.startsWith('device_software')
        ? ` join software_title t on t.id = any(${alias}.title_ids)`
        : '';
      expect(after).toMatch(startingWith(`${titles} where ${alias}.device_id = d.id`));
    } else if (before.endsWith(' from m join ')) {
      // The devices that are exported, found in scope before.
      expect(after).toMatch(startingWith(` on ${alias}.id = m.id`));
      expect(before).toMatch(/\bwith m as materialized \(select d\.id from device d /);
    } else if (before.endsWith(') f join ')) {
      // The devices whose state was found in scope before.
      expect(after).toMatch(new RegExp(`^ on ${alias}\\.id = f\\.id(?:\\)| order by )`));
      expect(before).toMatch(/ from \(select d\.id from device_state d /);
    } else if (before.endsWith('(p join ')) {
      // The page of devices that were found in scope before.
      expect(after).toMatch(startingWith(` on ${alias}.id = p.id)`));
    } else {
      expect(before).toMatch(/from $/);
      const where = after
        .replace(/^(?: left join \w+ (\w) on \1\.device_id = d\.id and .*?(?= left join | where ))*/, '')
        .replace(OWNERS, '');
      // All devices in scope, and one of them.
      if (
        new RegExp(
          `^ where ${RegExp.escape(inScope(alias))}(?: offset 0\\) b | and d.id = ''::uuid ?\\) a )`,
        ).test(where)
      ) {
        continue;
      }
      const opening = ` where ${inScope(alias)} and (`;
      expect(where).toMatch(startingWith(opening));
      expect(where.slice(closingOf(where, opening.length - 1) + 1)).toMatch(/^(?: order by |\)|$)/);
    }
  }
  const orgIds = reachableOrgIds(scope) ?? [];
  if (/\bdevice\b/.test(code)) for (const orgId of orgIds) expect(text).toContain(orgId);
}

/**
 * Every step that hands rows on is held to the scope; the others know blocks of titles, of an organization in scope
 * where there is one. Rows are handed on to be looked up by id.
 */
function expectSearchScoped(
  text: string,
  scope: AccessScope,
  category: StoredCategory,
  { apart }: SearchBounds,
): void {
  const code = withoutConstants(text).replaceAll(/\s+/g, ' ');
  expect(code).not.toMatch(/--|\/\*|;|\\/);
  const [thing] = category.split(/s$/);
  const inScope = withoutConstants(searchPredicate(scope, category)).replaceAll(/\s+/g, ' ');
  const [, ...steps] = code.split(/\w+ as materialized \(/);
  const last = steps.at(-1)?.split(` select '', o.id, `);
  expect(last).toHaveLength(2);
  expect(last?.[1]).toMatch(endingWith(` f join ${thing} o on o.id = f.id`));
  expect(last?.[1]).not.toContain('_search');
  let looks = 0;
  for (const step of steps) {
    const rows = step.split(` select '', o.id, `)[0]?.replaceAll(
      new RegExp(
        [
          String.raw`\(select l.long_texts from ${thing}_search l where l.id = t.id\)`,
          `select from ${thing} o where o.id = t.id and `,
          `select b.low, b.high, b.space from ${thing}_search_block b where `,
          // A place among all titles, up to which rows are looked at, and not a row.
          String.raw`select t.title, t.id from ${thing}_search t where .*? offset 127\)`,
        ].join('|'),
        'g',
      ),
      '',
    );
    for (const { index } of rows?.matchAll(/\b(?:device|script|alert)(?:_search(?:_block)?)? \w\b/g) ?? []) {
      looks++;
      const look = rows?.slice(index).split(/ order by (?:tier|title)/, 1)[0] ?? '';
      expect(look).toMatch(startingWith(`${thing}_search t where `));
      const at = look.indexOf(inScope);
      expect(at).toBeGreaterThan(0);
      expect(look.slice(0, at)).toMatch(/ (?:where|and) \(?$/);
      expect(look.slice(at + inScope.length)).toMatch(/^(?:$|\)| and | limit | order by )/);
    }
  }
  const isApart = category !== 'scripts' && (reachableOrgIds(scope)?.length ?? 0) > 0;
  const spaces = [...text.matchAll(/b\.windows @@ \( ?E?'((?:''|[^'])*)'::tsquery/g)].map(
    ([, space]) => space,
  );
  const everything = `''00000000-0000-0000-0000-000000000000''`;
  const own = (reachableOrgIds(scope) ?? []).map((orgId) => `''${orgId}''`).join(' | ');
  const reached = reachableOrgIds(scope)?.length ?? 0;
  const isStaged = isApart && reached > 1;
  const isSighted = isStaged && reached > apart;
  const one = isApart ? own : everything;
  const expected = isSighted ? [everything, own] : isStaged ? [own] : [one, one];
  expect(spaces).toStrictEqual([...expected, ...expected]);
  // Odd rows, exact titles and those that begin so; then in blocks, of several organizations in stages.
  expect(looks).toBe(3 + 2 * (isStaged ? (isSighted ? 4 : 3) : 1));
}

/** What the scope of a category has to look like, said anew. */
function searchPredicate(scope: AccessScope, category: StoredCategory): string {
  const ofOrganization = scopePredicate(scope, 't');
  if (category !== 'scripts' || scope.kind === 'system') return ofOrganization;
  const organizations = scopePredicate(scope, 'g').replace('g.org_id', 'g.id');
  const own =
    scope.kind === 'partner' && scope.isWhole ? ` or t.partner_id = '${scope.partnerId}'::uuid` : '';
  return `(${ofOrganization} or t.partner_id = any(array( select g.partner_id from organization g where ${organizations}))${own})`;
}

function startingWith(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}`);
}

function endingWith(text: string): RegExp {
  return new RegExp(`${RegExp.escape(text)}$`);
}

/** What the scope has to look like, said anew. */
function scopePredicate(scope: AccessScope, alias: string): string {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return 'true';
  if (orgIds.length === 0) return 'false';
  return orgIds.length === 1
    ? `${alias}.org_id = '${orgIds[0]}'::uuid`
    : `${alias}.org_id = any('{${orgIds.join(',')}}'::uuid[])`;
}

/** The statement with an empty text for every constant, found as PostgreSQL finds them. */
function withoutConstants(text: string): string {
  return text.replaceAll(/ ?\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/g, "''");
}

/** Where the parenthesis at `open` is closed. */
function closingOf(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return at;
  }
  throw new Error('a parenthesis is not closed');
}

async function filesWith(pattern: RegExp): Promise<readonly string[]> {
  const files = await readdir(SOURCES, { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts')).toSorted();
  const found: string[] = [];
  for (const file of sources) if (pattern.test(await readSource(file))) found.push(file);
  return found;
}

function readSource(file: string): Promise<string> {
  return readFile(join(SOURCES, file), 'utf8');
}
