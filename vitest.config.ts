import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/**
 * Half the time of a run would go into loading the same modules for every file. So files share them, one after the
 * other in a process, and no file may leave anything behind there; spies are taken back after each test. Three
 * processes on two cores: a third of the time, a test waits.
 */
const SHARED_MODULES = { isolate: false, restoreMocks: true, maxWorkers: 3 };

/** To tests `fleetsift` is what package.json has behind this condition, the sources, and not what was built last. */
const SOURCES = { ssr: { resolve: { conditions: ['fleetsift-source', ...defaultServerConditions] } } };

/** First in every project, for what is set up after it. */
const FILES = 'test/support/files-in-memory.ts';

/** What has to hold behind a pooler, too: every port, tenancy, and what clients do most. */
const THROUGH_POOLER = [
  'test/**/*.pooler.test.ts',
  'test/adapters/postgres/setup/{maintenance/moved-partner,security/row-level-security}.pg.test.ts',
  'test/api/tenancy/tenancy.both.test.ts',
  'test/api/auth/{account,api-keys,at-once,auth,second-factor}.both.test.ts',
  'test/api/deletion/{completion,decision}.both.test.ts',
  'test/api/devices/{device-list,export}.both.test.ts',
  'test/api/filters/{evaluation,explain,fields,filters,previews}.both.test.ts',
  'test/api/inventory/inventory-route.both.test.ts',
  'test/api/search/search-extras.both.test.ts',
];

/**
 * Projects, by what a test needs: `*.test.ts` nothing but this process, `*.pg.test.ts` a PostgreSQL, which
 * `test/support/database/postgres-server.ts` provides once a run. `*.both.test.ts` runs in both projects: what a
 * client sees of the service, on the backend that the project provides. `*.pooler.test.ts`
 * needs PgBouncer, through which the project runs others as well; `*.browser.test.ts` Chromium; `*.package.test.ts` the
 * package, packed and unpacked elsewhere. What
 * compares times, `*.alone.test.ts`, runs when all others are through.
 */
export default defineConfig({
  test: {
    projects: [
      {
        ...SOURCES,
        test: {
          ...SHARED_MODULES,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{pg,pooler,browser,package,alone}.test.ts'],
          provide: { backend: 'memory' },
          globalSetup: [FILES, 'test/adapters/embedded-postgres/template-directory.ts'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        ...SOURCES,
        test: {
          ...SHARED_MODULES,
          name: 'postgres',
          include: ['test/**/*.{pg,both}.test.ts'],
          provide: { backend: 'postgres' },
          globalSetup: [FILES, 'test/support/database/postgres-server.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...SOURCES,
        test: {
          ...SHARED_MODULES,
          name: 'pooler',
          include: THROUGH_POOLER,
          provide: { backend: 'postgres' },
          globalSetup: [FILES, 'test/support/database/postgres-server.ts', 'test/support/database/pooler.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...SOURCES,
        test: {
          ...SHARED_MODULES,
          name: 'browser',
          include: ['test/browser/**/*.browser.test.ts'],
          provide: { backend: 'postgres' },
          globalSetup: [
            FILES,
            'test/support/database/postgres-server.ts',
            'test/support/browser/built-console.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // As long as the tests wait for what they look for on a page.
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          ...SHARED_MODULES,
          name: 'package',
          include: ['test/package/**/*.package.test.ts'],
          globalSetup: [FILES, 'test/package/installed-package.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...SOURCES,
        test: {
          ...SHARED_MODULES,
          name: 'alone',
          include: ['test/**/*.alone.test.ts'],
          globalSetup: [FILES],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // After all others: what is measured here is what one process does to another on this machine.
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
    ],
  },
});
