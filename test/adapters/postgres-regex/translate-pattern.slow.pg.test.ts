/**
 * The in-process answers against those of PostgreSQL 18 under the builtin C.UTF-8 locale, which the
 * translation is made for: the tables, every character, and patterns at random.
 */
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { askPostgres, type PatternAnswer, prepareConnection } from './ask-postgres.ts';
import { CHARACTER_CASES } from './cases/character-cases.ts';
import { INVALID_CASES, UNTRANSLATABLE_CASES } from './cases/refusal-cases.ts';
import { STRUCTURE_CASES } from './cases/structure-cases.ts';
import { patternSample } from './pattern-arbitrary.ts';
import type { PatternSample } from './pattern-sample.ts';

const MATCH_CASES = { ...CHARACTER_CASES, ...STRUCTURE_CASES };

const RANDOM_PATTERNS = 6_000;
const BATCH = 500;

let client: Client;

beforeAll(async () => {
  client = new Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  await prepareConnection(client);
});

afterAll(() => client.end());

describe('the tables agree with PostgreSQL', () => {
  test.each(Object.entries(MATCH_CASES))('%s', async (_topic, cases) => {
    const answers = await askPostgres(
      client,
      cases.map(([pattern, matches, misses]) => ({ pattern, texts: ['', ...matches, ...misses] })),
    );
    const withoutFirst = answers.map((answer) => ('refused' in answer ? answer : answer.slice(1)));
    expect(withoutFirst).toStrictEqual(
      cases.map(([, matches, misses]) => [...matches.map(() => true), ...misses.map(() => false)]),
    );
  });

  test.each(Object.entries(INVALID_CASES))('%s', async (refused, patterns) => {
    const answers = await askPostgres(
      client,
      patterns.map((pattern) => ({ pattern, texts: [''] })),
    );
    expect(answers).toStrictEqual(patterns.map(() => ({ refused })));
  });
});

describe('patterns agree with PostgreSQL on each character', () => {
  test.each(['\\w', '\\S', '(?i)[^[:upper:]]', '(?i)[^a-z]', '(?i)[Ā-\\U0001ffff]', '(?n)[^a]', '\\y'])(
    '%s',
    async (pattern) => {
      const { rows } = await client.query<{ code_point: number }>(
        `SELECT code_point FROM generate_series(1, ${0x10ffff}) AS code_point
       WHERE code_point NOT BETWEEN ${0xd800} AND ${0xdfff} AND chr(code_point) COLLATE "pg_c_utf8" ~ $1`,
        [pattern],
      );
      const translated = translatePattern(pattern);
      const ours = translated.ok
        ? allCharacters().filter((codePoint) => translated.value(String.fromCodePoint(codePoint)))
        : [];
      expect(toRanges(ours)).toStrictEqual(toRanges(rows.map((row) => row.code_point)));
    },
  );

  test('and, if case is ignored, on each letter that has another case', async () => {
    const { rows } = await client.query<{ letter: string }>(
      `SELECT chr(n) AS letter FROM generate_series(1, ${0x10ffff}) AS n
       WHERE n NOT BETWEEN ${0xd800} AND ${0xdfff} AND (lower(chr(n) COLLATE "pg_c_utf8") <> chr(n) OR upper(chr(n) COLLATE "pg_c_utf8") <> chr(n))`,
    );
    const letters = rows.map((row) => row.letter);
    const samples = letters.map((letter, index) => ({
      pattern: `(?i)${letter}`,
      // The letter, its cases, and its neighbors, which include all less simple variants.
      texts: [
        letter,
        letter.toLowerCase(),
        letter.toUpperCase(),
        ...letters.slice(Math.max(0, index - 3), index + 4),
      ],
    }));
    await expectAgreement(samples, 'every letter with a case');
    expect(letters.length).toBeGreaterThan(2_900);
  });
});

describe('patterns at random', () => {
  test(`${RANDOM_PATTERNS} patterns are answered as PostgreSQL answers them, or refused by name`, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const refused: PatternSample[] = [];
    const matched: PatternSample[] = [];
    const samples = fc.sample(patternSample, { numRuns: RANDOM_PATTERNS, seed });
    for (let from = 0; from < samples.length; from += BATCH) {
      const outcome = await expectAgreement(samples.slice(from, from + BATCH), `seed ${seed}`);
      refused.push(...outcome.untranslatable);
      matched.push(...outcome.matched);
    }
    expect(refused.length / samples.length, `untranslatable share, seed ${seed}`).toBeLessThan(0.05);
    expect(matched.length / samples.length, `share with a match, seed ${seed}`).toBeGreaterThan(0.3);
  });
});

test('PostgreSQL accepts the untranslatable patterns, or calls them too complex', async () => {
  const samples = Object.values(UNTRANSLATABLE_CASES)
    .flat()
    .map((pattern) => ({ pattern, texts: [''] }));
  await client.query(`SET statement_timeout = '5s'`);
  const answers: unknown[] = [];
  for (const sample of samples)
    answers.push(...(await askPostgres(client, [sample]).catch((error) => [error.code])));
  await client.query('RESET statement_timeout');
  const unexpected = answers.filter(
    (answer) =>
      !Array.isArray(answer) &&
      answer !== '57014' &&
      (answer as { refused?: string }).refused !== 'regular expression is too complex',
  );
  expect(unexpected).toStrictEqual([]);
});

/** Asks both, and fails with the first sample on which they differ. */
async function expectAgreement(
  samples: readonly PatternSample[],
  about: string,
): Promise<{ untranslatable: PatternSample[]; matched: PatternSample[] }> {
  const theirs = await askPostgres(client, samples);
  const untranslatable: PatternSample[] = [];
  const matched: PatternSample[] = [];
  for (const [index, sample] of samples.entries()) {
    const answer = answerInProcess(sample);
    if (answer === 'untranslatable') {
      untranslatable.push(sample);
      continue;
    }
    expect(answer, `${JSON.stringify(sample)} (${about})`).toStrictEqual(theirs[index]);
    if (Array.isArray(answer) && answer.includes(true)) matched.push(sample);
  }
  return { untranslatable, matched };
}

function answerInProcess({ pattern, texts }: PatternSample): PatternAnswer | 'untranslatable' {
  const translated = translatePattern(pattern);
  if (translated.ok) return texts.map(translated.value);
  return translated.error.kind === 'invalid' ? { refused: translated.error.message } : 'untranslatable';
}

function allCharacters(): number[] {
  return Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
    (codePoint) => codePoint !== 0 && (codePoint < 0xd800 || codePoint > 0xdfff),
  );
}

function toRanges(codePoints: readonly number[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const codePoint of codePoints) {
    const range = ranges.at(-1);
    if (range && codePoint === range.last + 1) range.last = codePoint;
    else ranges.push({ first: codePoint, last: codePoint });
  }
  return ranges.map(({ first, last }) => `${first.toString(16)}-${last.toString(16)}`);
}
