/** What embedders find in the package: all types that ports, use cases and parts name, each with a comment. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportedNames, importedTypes } from '#test/support/exported-names.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXPORTED = exportedNames();
const NAMES: ReadonlySet<string> = new Set(EXPORTED.map(({ name }) => name));

const SPEAKING = [
  ...globSync(['src/application/ports/**/*.ts', 'src/application/**/*-use-cases.ts'], { cwd: ROOT }),
  'src/application/backend.ts',
  'src/application/call.ts',
  'src/application/search/search-everything.ts',
  'src/main/composition.ts',
];

test.each(SPEAKING)('every type that %s imports can be imported from the package', (file) => {
  expect(importedTypes(file).filter((name) => !NAMES.has(name))).toStrictEqual([]);
});

test('every rule that a port names can be imported from the package', async () => {
  const given = { ...(await import('fleetsift/application')), ...(await import('fleetsift/domain')) };
  const ports = globSync('src/application/ports/**/*.ts', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const docstrings = ports.flatMap((port) => port.match(/\/\*\*.*?\*\//gs) ?? []).join('\n');
  const named = new Set([...docstrings.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const rules = globSync('src/domain/**/*.ts', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^export function (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
  const namedRules = rules.filter((name) => named.has(name));
  expect(namedRules).toContain('findMachine');
  expect(namedRules.filter((name) => !Object.hasOwn(given, name))).toStrictEqual([]);
});

test('every exported name has a comment', () => {
  expect(EXPORTED.length).toBeGreaterThan(500);
  const silent = EXPORTED.filter(({ isExplained }) => !isExplained);
  expect(silent.map(({ name, file }) => `${file}: ${name}`)).toStrictEqual([]);
});
