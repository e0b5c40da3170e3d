/** The console contains other people's work, and ships with its licenses. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

test('the packed console has the license of each package that its sources import', () => {
  const licences = readFileSync(
    join(inject('project'), 'node_modules/fleetsift/dist/console/licences.md'),
    'utf8',
  );
  const imported = globSync('src/adapters/web/client/**/*.{ts,tsx,css}', { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const values = source.matchAll(
      /^(?:import (?!type\b)|\} from |@import )[^'"\n]*['"](@[\w-]+\/[\w-]+|[a-z][\w-]*)/gm,
    );
    return [...values].map(([, name]) => name ?? '');
  });
  expect(imported).toContain('react-aria-components');
  expect(imported).toContain('@fontsource-variable/inter');
  for (const name of new Set(imported)) expect(licences).toContain(`\n## ${name} - `);
  expect(licences).toContain('SIL OPEN FONT LICENSE');
});
