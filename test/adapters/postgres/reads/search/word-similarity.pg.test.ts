/** The word similarity of the domain is that of pg_trgm, for any ASCII texts (Contract: §6). */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { wordSimilarityTo } from '#domain/search/similar-hit.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});
afterAll(() => world.close());

/** Few letters, so that trigrams repeat and overlap. */
const LETTERS = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'c', ' ', '-', '7'), maxLength: 24 });
const WORDS = fc
  .array(fc.constantFrom('firewall', 'fireall', 'wall', 'Fire', 'spooler', 'spooller', 'er', 'fi', 'all'), {
    maxLength: 5,
  })
  .map((words) => words.join(' '));
const TEXT = fc.oneof(LETTERS, WORDS, fc.string({ unit: 'grapheme-ascii', maxLength: 30 }));

test('the word similarity of thousands of pairs is that of pg_trgm', async () => {
  const pairs = fc.sample(fc.tuple(TEXT, TEXT), { numRuns: 5_000, seed: 7 });
  const rows = await world.query<{ similarity: number }>(
    'owner',
    `select word_similarity(a, b)::float8 as similarity from unnest($1::text[], $2::text[]) with ordinality p(a, b, n)
     order by n`,
    [pairs.map(([text]) => text), pairs.map(([, other]) => other)],
  );
  const expected = rows.map(({ similarity }) => similarity);
  const counted = pairs.map(([text, other]) => Math.fround(wordSimilarityTo(text)(other)));
  expect(counted).toStrictEqual(expected);
});
