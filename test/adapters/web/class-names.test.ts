/** Style sheets define exactly the class names that the console uses. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const CLIENT = join(import.meta.dirname, '../../../src/adapters/web/client');

interface Use {
  readonly file: string;
  readonly names: readonly string[];
  /** Names are chosen by a value, such as the kind of a button, so all may be used. */
  readonly isOpen: boolean;
}

/** Uses by the path of the sheet, relative to the client's folder. */
const usesBySheet = Map.groupBy(
  globSync('**/*.tsx', { cwd: CLIENT }).flatMap((file) => usesIn(file)),
  ({ sheet }) => sheet,
);

test('every style sheet is used', () => {
  expect([...usesBySheet.keys()].sort()).toStrictEqual(globSync('**/*.module.css', { cwd: CLIENT }).sort());
});

test.each([...usesBySheet])('%s defines exactly the class names that are used', (sheet, uses) => {
  const css = readFileSync(join(CLIENT, sheet), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const defined = new Set([...css.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name ?? ''));
  const unknown = uses.flatMap(({ file, names }) =>
    names.filter((name) => !defined.has(name)).map((name) => `${name} in ${file}`),
  );
  expect(unknown).toStrictEqual([]);
  if (uses.some(({ isOpen }) => isOpen)) return;
  const used = new Set(uses.flatMap(({ names }) => names));
  expect([...defined].filter((name) => !used.has(name))).toStrictEqual([]);
});

function usesIn(file: string): readonly (Use & { readonly sheet: string })[] {
  const source = readFileSync(join(CLIENT, file), 'utf8');
  const code = source.replace(/^import .*$/gm, '');
  return [...source.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].map(
    ([, variable = '', path = '']) => ({
      file,
      sheet: path.startsWith('#console/') ? path.slice('#console/'.length) : join(dirname(file), path),
      names: [...code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))].map(([, name]) => name ?? ''),
      isOpen: code.includes(`${variable}[`),
    }),
  );
}
