import { defineConfig } from 'vitest/config';

/**
 * Two projects, by what a test needs: `*.test.ts` nothing but this process, `*.pg.test.ts` a PostgreSQL, which
 * `test/support/database/postgres-server.ts` provides once a run. `*.both.test.ts` runs in both projects: what a
 * client sees of the service, on the backend that the project provides.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.pg.test.ts'],
          provide: { backend: 'memory' },
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['test/**/*.{pg,both}.test.ts'],
          provide: { backend: 'postgres' },
          globalSetup: ['test/support/database/postgres-server.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
