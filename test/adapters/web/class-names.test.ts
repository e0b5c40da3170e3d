/** Every class name that the console uses is in the style sheet beside it, and no style sheet has one more. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const CLIENT = join(import.meta.dirname, '../../../src/adapters/web/client');

const components = globSync('**/*.tsx', { cwd: CLIENT }).filter((file) => sheetOf(file) !== null);

test.each(components)('%s', (file) => {
  const source = readFileSync(join(CLIENT, file), 'utf8');
  const sheet = readFileSync(join(CLIENT, dirname(file), sheetOf(file) ?? ''), 'utf8');
  const used = new Set([...source.matchAll(/\bstyles\.(\w+)/g)].map(([, name]) => name));
  const defined = new Set(
    [...sheet.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name),
  );
  expect([...used].filter((name) => !defined.has(name))).toStrictEqual([]);
  // Names that are chosen by a value, such as a kind of button, are used by whatever the value can be.
  if (!/\bstyles\[/.test(source)) {
    expect([...defined].filter((name) => !used.has(name))).toStrictEqual([]);
  }
});

function sheetOf(file: string): string | null {
  return (
    /import styles from '(\.\/[\w-]+\.module\.css)'/.exec(readFileSync(join(CLIENT, file), 'utf8'))?.[1] ??
    null
  );
}
