import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Loading the same modules for every file would take half of a run. So the files of a process share them, one after the
 * other, and no file may leave anything behind; spies are removed after each test. Three processes suit two cores,
 * because a test waits for a third of its time.
 */
const SHARED_MODULES = { isolate: false, restoreMocks: true, maxWorkers: 3 };

/** In tests, `fleetsift` is the sources, by this condition in package.json, and not the last build. */
const SOURCES = { ssr: { resolve: { conditions: ['fleetsift-source', ...defaultServerConditions] } } };

/** The first setup of every project, for those after it. */
const FILES = 'test/support/files-in-memory.ts';

const POSTGRES = [FILES, 'test/support/database/postgres-server.ts'];

const SLOW = 'test/**/*.slow.*.test.ts';

/** Every port, tenancy, and the most frequent requests have to work behind a pooler. */
const THROUGH_POOLER = [
  'test/**/*.pooler.test.ts',
  'test/adapters/postgres/setup/{maintenance/moved-partner,security/row-level-security}{,.slow}.pg.test.ts',
  'test/api/tenancy/tenancy{,.slow}.both.test.ts',
  'test/api/auth/{account,api-keys,at-once,auth,second-factor}{,.slow}.both.test.ts',
  'test/api/deletion/{completion,decision}{,.slow}.both.test.ts',
  'test/api/devices/{device-list,export}{,.slow}.both.test.ts',
  'test/api/filters/{evaluation,explain,fields,filters,previews}{,.slow}.both.test.ts',
  'test/api/inventory/inventory-route{,.slow}.both.test.ts',
  'test/api/search/search-extras{,.slow}.both.test.ts',
];

/** Each takes over ten seconds. The longest comes first. */
export const LONGEST_FILES = [
  'test/adapters/postgres/bulk/live/membership-law.slow.pg.test.ts',
  'test/adapters/postgres/contracts.pooler.test.ts',
  'test/adapters/postgres/contracts.pg.test.ts',
  'test/adapters/postgres/other-contracts.pg.test.ts',
  'test/adapters/postgres/reads/differential/differential.pg.test.ts',
  'test/browser/addresses.browser.test.ts',
  'test/api/deletion/races.slow.pg.test.ts',
  'test/adapters/postgres/reads/search/search-differential.slow.pg.test.ts',
  'test/adapters/postgres/bulk/loads/initial-load.slow.pg.test.ts',
  'test/adapters/memory/memory-backend.test.ts',
  'test/adapters/embedded-postgres/embedded-postgres.test.ts',
  'test/domain/filter/text/big-texts.test.ts',
  'test/api/filters/big-filters.slow.both.test.ts',
  'test/adapters/http/filters/filter-list.test.ts',
];

/** Of each project, the longest files start first: one that starts last runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST_FILES.findIndex((file) => moduleId.endsWith(file));
      return at === -1 ? LONGEST_FILES.length : at;
    };
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((ofProject) => ofProject.toSorted((a, b) => place(a) - place(b)));
  }
}

const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000 };

/**
 * The ending of a file's name says what it needs, and so its project. `*.test.ts` needs nothing but this process, and
 * `*.pg.test.ts` a PostgreSQL, which `postgres-server.ts` provides once for each project. `*.both.test.ts` runs in both
 * projects, on the backend of each. `*.browser.test.ts` needs Chromium, `*.pooler.test.ts` PgBouncer, and
 * `*.package.test.ts` the package, packed and unpacked elsewhere. `*.alone.test.ts` compares times, so it runs when all
 * others are through.
 *
 * `npm test` runs the projects unit, postgres and browser. It has to stay below five minutes on two cores, so a slow
 * file has `.slow` before its ending (`*.slow.pg.test.ts`), and runs in a project that only `npm run test:all` has. In
 * memory, `*.slow.both.test.ts` is quick. Every contract, route and page is in a file that `npm test` runs:
 * `test/test-projects.test.ts` checks that.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      ...[
        {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{slow,pg,pooler,browser,package,alone}.test.ts'],
        },
        { name: 'slow-unit', include: ['test/**/*.slow.test.ts'] },
      ].map((files) => ({
        ...SOURCES,
        test: {
          ...{ ...SHARED_MODULES, ...LIMITS, ...files },
          provide: { backend: 'memory' as const },
          globalSetup: [FILES, 'test/adapters/embedded-postgres/template-directory.ts'],
        },
      })),
      ...[
        { name: 'postgres', include: ['test/**/*.{pg,both}.test.ts'], exclude: [SLOW] },
        { name: 'slow-postgres', include: ['test/**/*.slow.{pg,both}.test.ts'] },
      ].map((files) => ({
        ...SOURCES,
        test: {
          ...{ ...SHARED_MODULES, ...LIMITS, ...files },
          provide: { backend: 'postgres' as const },
          globalSetup: POSTGRES,
        },
      })),
      {
        ...SOURCES,
        test: {
          ...{ ...SHARED_MODULES, ...LIMITS },
          name: 'pooler',
          include: THROUGH_POOLER,
          provide: { backend: 'postgres' },
          globalSetup: [...POSTGRES, 'test/support/database/pooler.ts'],
        },
      },
      ...[
        { name: 'browser', include: ['test/browser/*.browser.test.ts'], exclude: [SLOW] },
        { name: 'slow-browser', include: ['test/browser/*.slow.browser.test.ts'] },
      ].map((files) => ({
        ...SOURCES,
        test: {
          ...{ ...SHARED_MODULES, ...LIMITS, ...files },
          provide: { backend: 'postgres' as const },
          globalSetup: [...POSTGRES, 'test/support/browser/built-console.ts'],
          // As long as the tests wait for what they look for on a page.
          expect: { poll: { timeout: 20_000 } },
        },
      })),
      {
        test: {
          ...{ ...SHARED_MODULES, ...LIMITS },
          name: 'package',
          include: ['test/package/**/*.package.test.ts'],
          globalSetup: [FILES, 'test/package/installed-package.ts'],
        },
      },
      {
        ...SOURCES,
        test: {
          ...{ ...SHARED_MODULES, ...LIMITS },
          name: 'alone',
          include: ['test/**/*.alone.test.ts'],
          provide: { backend: 'postgres' },
          globalSetup: POSTGRES,
          // They measure what one process does to another, so no other file may run meanwhile.
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
    ],
  },
});
