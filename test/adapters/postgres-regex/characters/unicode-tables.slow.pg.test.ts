/**
 * The tables of letters against PostgreSQL 18 under the builtin C.UTF-8 locale. A failure shows the text
 * that a newer server asks for in `unicode-tables.ts`.
 */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type CharacterClass,
  caseVariants,
  classMembers,
} from '#adapters/postgres-regex/characters/character-class.ts';
import { setOf } from '#adapters/postgres-regex/characters/character-set.ts';
import {
  ALPHABETIC_RANGES,
  GRAPHIC_RANGES,
  LOWERCASE_RANGES,
  PUNCTUATION_RANGES,
  TO_LOWERCASE_RUNS,
  TO_UPPERCASE_RUNS,
  UPPERCASE_RANGES,
} from '#adapters/postgres-regex/characters/unicode-tables.ts';

/** All that `chr` can make of a text: neither 0 nor a surrogate. */
const EVERY_CHARACTER = `
  SELECT n AS code_point, chr(n) COLLATE "pg_c_utf8" AS letter
  FROM generate_series(1, ${0x10ffff}) AS n WHERE n NOT BETWEEN ${0xd800} AND ${0xdfff}`;

type Range = readonly [first: number, last: number];

let client: Client;

beforeAll(async () => {
  client = new Client({ connectionString: inject('databaseUrl') });
  await client.connect();
});

afterAll(() => client.end());

describe('each class has the same members as on the server', () => {
  const NAMES: readonly CharacterClass[] = [
    ...(['alnum', 'alpha', 'ascii', 'blank', 'cntrl', 'digit', 'graph', 'lower', 'print'] as const),
    ...(['punct', 'space', 'upper', 'word', 'xdigit'] as const),
  ];

  test.each(NAMES)('%s', async (name) => {
    const members = classMembers(name, false);
    // No text holds the character 0, which the server counts as a member of ascii and cntrl nevertheless.
    const withoutZero = members[0] === 0 ? [1, ...members.slice(1)] : members;
    expect(withoutZero).toStrictEqual((await fetchRanges(name)).flat());
  });
});

test.each([
  ['alpha', ALPHABETIC_RANGES],
  ['upper', UPPERCASE_RANGES],
  ['lower', LOWERCASE_RANGES],
  ['punct', PUNCTUATION_RANGES],
  ['graph', GRAPHIC_RANGES],
])('the table of %s equals that of the server', async (name, table) => {
  expect(table.trim().split(/\s+/).join(' ')).toStrictEqual(encodeRanges(await fetchRanges(name)));
});

test.each([
  ['lower', TO_LOWERCASE_RUNS],
  ['upper', TO_UPPERCASE_RUNS],
] as const)('the table of mappings to %s case equals that of the server', async (direction, table) => {
  expect(table.trim().split(/\s+/).join(' ')).toStrictEqual(encodeRuns(await fetchMapping(direction)));
});

test('if case is ignored, each letter stands for its lower and its upper case', async () => {
  const lower = new Map(await fetchMapping('lower'));
  const upper = new Map(await fetchMapping('upper'));
  const letters = [...new Set([...lower.keys(), ...upper.keys()])];
  expect(letters.map(caseVariants)).toStrictEqual(
    letters.map((letter) => setOf([lower.get(letter) ?? letter, upper.get(letter) ?? letter])),
  );
});

async function fetchRanges(name: string): Promise<readonly Range[]> {
  const { rows } = await client.query<{ first: number; last: number }>(
    `SELECT min(code_point) AS first, max(code_point) AS last
     FROM (SELECT code_point, code_point - row_number() OVER (ORDER BY code_point) AS island
           FROM (${EVERY_CHARACTER}) AS every WHERE letter ~ $1) AS members
     GROUP BY island ORDER BY 1`,
    [`[[:${name}:]]`],
  );
  return rows.map(({ first, last }) => [first, last]);
}

async function fetchMapping(direction: 'lower' | 'upper'): Promise<readonly Range[]> {
  const { rows } = await client.query<{ code_point: number; mapped: number }>(
    `SELECT code_point, ascii(${direction}(letter)) AS mapped FROM (${EVERY_CHARACTER}) AS every
     WHERE ${direction}(letter) <> letter ORDER BY 1`,
  );
  return rows.map(({ code_point, mapped }) => [code_point, mapped]);
}

function encodeRanges(ranges: readonly Range[]): string {
  let next = 0;
  const encoded = ranges.map(([first, last]) => {
    const parts = last > first ? [first - next, last - first] : [first - next];
    next = last + 1;
    return parts.map((part) => part.toString(36)).join('.');
  });
  return encoded.join(' ');
}

function encodeRuns(mapping: readonly Range[]): string {
  const encoded: string[] = [];
  let start = 0;
  for (let at = 0; at < mapping.length; ) {
    const [from, to] = mapping[at] as Range;
    const [count, stride] = [1, 2]
      .map((distance): Range => [countRun(mapping, at, distance), distance])
      .reduce((best, other) => (other[0] > best[0] ? other : best));
    const parts = [
      from - start,
      to - from,
      ...(count > 1 ? [count] : []),
      ...(count > 1 && stride > 1 ? [stride] : []),
    ];
    encoded.push(parts.map((part) => part.toString(36)).join('.'));
    start = from;
    at += count;
  }
  return encoded.join(' ');
}

/** How many letters from the one at `at` on lie `stride` apart and change by the same amount. */
function countRun(mapping: readonly Range[], at: number, stride: number): number {
  const [from, to] = mapping[at] as Range;
  let count = 1;
  for (; mapping[at + count]?.[0] === from + count * stride; count += 1) {
    if (mapping[at + count]?.[1] !== to + count * stride) break;
  }
  return count;
}
