/** What `npm test` and `npm run test:all` run. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import packageLock from '../package-lock.json' with { type: 'json' };
import config, { LONGEST_FILES } from '../vitest.config.ts';

interface Project {
  readonly test: { readonly name: string; readonly include: string[]; readonly exclude?: string[] };
}

const ROOT = join(import.meta.dirname, '..');

const FILES = new Map(
  ((config.test?.projects ?? []) as readonly Project[]).map(({ test: { name, include, exclude = [] } }) => [
    name,
    globSync(include, { cwd: ROOT, exclude }),
  ]),
);

const projectsOf = (script: string) => [...script.matchAll(/--project=(\S+)/g)].map(([, name = '']) => name);
const QUICK = projectsOf(packageJson.scripts.test);

test('every test file is in a project, and test:all runs all projects', () => {
  expect([...new Set([...FILES.values()].flat())].toSorted()).toStrictEqual(
    globSync('test/**/*.test.ts', { cwd: ROOT }).toSorted(),
  );
  expect(packageJson.scripts['test:all']).toBe('vitest run');
});

test('the files that start first exist', () => {
  expect(globSync(LONGEST_FILES, { cwd: ROOT }).toSorted()).toStrictEqual(LONGEST_FILES.toSorted());
});

test('npm test and test:rest together run every project once', () => {
  expect(projectsOf(packageJson.scripts['test:rest'])).toStrictEqual(QUICK.map((name) => `!${name}`));
});

test('npm test needs nothing but npm: no PgBouncer, and no package that npm has to pack', () => {
  expect(QUICK).toStrictEqual(['unit', 'postgres', 'browser']);
});

test.each([
  ['half of the contracts', 'postgres', 'test/adapters/postgres/contracts.pg.test.ts'],
  ['the other half of the contracts', 'postgres', 'test/adapters/postgres/other-contracts.pg.test.ts'],
  ['every route', 'postgres', 'test/api/every-route.both.test.ts'],
  [
    'the short differential test',
    'postgres',
    'test/adapters/postgres/reads/differential/differential.pg.test.ts',
  ],
  ['every page', 'browser', 'test/browser/addresses.browser.test.ts'],
])('npm test runs %s', (_what, project, file) => {
  expect(FILES.get(project)).toContain(file);
});

test('package-lock.json has no engines, so npm on an older Node prints no warnings', () => {
  const withEngines = Object.entries(packageLock.packages).filter(
    ([path, entry]) => path !== '' && 'engines' in entry,
  );
  expect(withEngines, 'run: node test/scripts/drop-engines.ts').toStrictEqual([]);
});
