import { defineConfig } from 'vitest/config';

/**
 * Two projects, told apart by what a test costs: `*.test.ts` needs nothing but this process,
 * `*.pg.test.ts` needs a PostgreSQL, which `test/support/postgres.ts` provides once a run.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{pg,both}.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['test/**/*.{pg,both}.test.ts'],
          globalSetup: ['test/support/database/postgres-server.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
