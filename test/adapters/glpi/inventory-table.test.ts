/** The table in docs/inventory.md says where every part of the format goes, and has no other parts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** Every place in the format, such as `content.drives[].free`, with the objects and lists around it. */
function placesIn(node: SchemaNode, path: string, into: { leaves: string[]; around: Set<string> }): void {
  if (node.items?.properties === undefined && node.properties === undefined) {
    into.leaves.push(node.items === undefined ? path : `${path}[]`);
    return;
  }
  if (path !== '') into.around.add(path);
  const inside = node.properties === undefined ? `${path}[]` : path;
  for (const [name, member] of Object.entries(node.properties ?? node.items?.properties ?? {})) {
    placesIn(member, inside === '' ? name : `${inside}.${name}`, into);
  }
}

const places = { leaves: [] as string[], around: new Set<string>() };
placesIn(JSON.parse(readText('src/adapters/glpi/document/inventory.schema.json')), '', places);

const table = readText('docs/inventory.md');
const rows = [...table.matchAll(/^\| (`[^|]+`) \| (.+) \|$/gm)].map(([, parts = '', goesTo = '']) => ({
  parts: [...parts.matchAll(/`([^`]+)`/g)].map(([, part = '']) => part),
  goesTo,
}));
const named = rows.flatMap(({ parts }) => parts);

test('every part of the format has a row', () => {
  const isCovered = (leaf: string) =>
    named.some((part) => leaf === part || leaf.startsWith(`${part}.`) || leaf.startsWith(`${part}[]`));
  expect(places.leaves.length).toBeGreaterThan(400);
  expect(places.leaves.filter((leaf) => !isCovered(leaf))).toStrictEqual([]);
});

test('every row is about parts of the format, and no part has two rows', () => {
  expect(named.filter((part) => !places.leaves.includes(part) && !places.around.has(part))).toStrictEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

test('only a dropped part stands for all parts inside it', () => {
  const summed = rows.filter(({ parts }) => parts.some((part) => places.around.has(part)));
  expect(summed.filter(({ goesTo }) => !goesTo.startsWith('dropped: '))).toStrictEqual([]);
  // A part with its row would be hidden by the row of a part around it.
  const hidden = summed.flatMap(({ parts }) =>
    parts.filter((part) =>
      named.some((other) => other.startsWith(`${part}.`) || other.startsWith(`${part}[]`)),
    ),
  );
  expect(hidden).toStrictEqual([]);
});

function readText(path: string): string {
  return readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
}
