/** A database whose locale knows only ASCII: filters give the same answers as anywhere else. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { aDevice, orgScope } from '#test/support/builders.ts';
import { createFreshDatabase, type FreshDatabase } from '#test/support/database/fresh-database.ts';
import { BACKEND_OPTIONS } from '#test/support/database/postgres-world.ts';
import { runDifferential } from '#test/support/differential/differential-run.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const SEED = Number(process.env.DIFFERENTIAL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const RUNS = 200;

test(
  `both evaluators agree there about ${RUNS} generated filters (DIFFERENTIAL_SEED=${SEED})`,
  async () => {
    const options = { adminUrl: inject('databaseUrl'), seed: SEED, runs: RUNS, locale: 'C' } as const;
    const tally = await runDifferential({ ...options, runsPerWorld: RUNS / 2, deviceCount: 100 });
    expect(tally.filters).toBeGreaterThanOrEqual(RUNS);
  },
  120_000 + RUNS * 200,
);

describe('letters beyond ASCII', () => {
  const TEXTS = ['Zürich', 'ÅRHUS', 'Łódź', 'Οδός', 'plain', 'ДОМ 7', '東京', '_x_', '42'];
  let database: FreshDatabase;
  let backend: PostgresBackend;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createFreshDatabase(inject('databaseUrl'), 'C');
    backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: database.url });
    tenant = await createTenant(backend);
    const { orgId } = tenant;
    await loadFleet(
      backend,
      TEXTS.map((text) => aDevice({ orgId, hostname: text, displayName: text, tags: [text] })),
    );
  });

  afterAll(async () => {
    await backend.close();
    await database.drop();
  });

  test.each([
    '^\\w+$',
    '^[[:alpha:]]+$',
    '[[:upper:]]{2}',
    '^[[:lower:]]+$',
    '(?i)łÓDŹ',
    '(?i)^о',
    '(?i)\\mд',
    '[^[:alnum:]]',
  ])('are letters to the expression %s', async (pattern) => {
    const translated = translatePattern(pattern);
    if (!translated.ok)
      throw new Error(`the expression was not translated: ${JSON.stringify(translated.error)}`);
    const expected = TEXTS.filter((text) => translated.value(text)).toSorted();
    for (const field of ['hostname', 'displayName', 'tags.name']) {
      const group = and({ field, operator: 'matches', value: pattern });
      expect([field, (await findHostnames(backend, orgScope(tenant.orgId), group)).toSorted()]).toStrictEqual(
        [field, expected],
      );
    }
  });
});
