/** A block that holds a text has every window that is asked for, wherever in a title the text begins and ends. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { seededRandom } from '#adapters/demo/seeded-random.ts';
import { searchTerms } from '#adapters/postgres/reads/sql/search/search-terms.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

const random = seededRandom('what is asked for');

/** Joints of all kinds, marks, what is beyond ASCII and what is beyond the basic plane. */
const JOINTS = ['-', '-', '.', ' ', '_', "'", '\\', '~', ':', '\t', '\u001d', '\u001e', '\u001f', '\u007f'];
const OTHERS = ['a', 'b', 'c', '1', '2', 'é', '日', '𝒳', '\u0080', '–'];

function drawText(): string {
  return Array.from({ length: random.integer(1, 24) }, () =>
    random.pick(random.fraction() < 0.3 ? JOINTS : OTHERS),
  ).join('');
}

/** Some characters in a row. */
function drawPart(text: string): string {
  const characters = [...text];
  const from = random.integer(0, characters.length - 1);
  return characters.slice(from, random.integer(from + 1, characters.length)).join('');
}

test('blocks have the windows of all parts of their texts', async () => {
  const blocks = Array.from({ length: 1_000 }, () =>
    Array.from({ length: random.integer(1, 3) }, () => drawText()),
  );
  const asked = blocks.flatMap((texts, block) =>
    Array.from({ length: 12 }, () => {
      const part = drawPart(random.pick(texts));
      return { block, part, windows: searchTerms(part).windows };
    }),
  );
  // Those around joints are the long ones.
  expect(asked.filter(({ windows }) => /'[^' ]{4,}'/.test(windows)).length).toBeGreaterThan(2_000);
  const missed = await world.query<{ part: string }>(
    'owner',
    `with block as (
       select n - 1 as n, search_windows(b.texts ->> 0, search_words(b.texts ->> 0)) as windows
       from jsonb_array_elements($1) with ordinality b(texts, n))
     select a.part, a.windows from jsonb_to_recordset($2) a(block integer, part text, windows text)
     join block b on b.n = a.block where a.windows <> '' and not b.windows @@ a.windows::tsquery`,
    [JSON.stringify(blocks.map((texts) => [texts.join('\u001d')])), JSON.stringify(asked)],
  );
  expect(missed).toStrictEqual([]);
});

test.each<[string, string, readonly string[]]>([
  ['a name of three parts', 'silva-lt-511', ['va-lt-511']],
  ['long parts', 'paris.corp.example', ['is.cor', 'rp.exa']],
  ['a first part that may begin earlier', 'c-lt-511', ['lt-511']],
  ['a last part that may continue', 'silva-lt-5', ['va-lt-5']],
  ['an empty last part', 'silva-lt-', ['va-lt', 'lt-']],
])('a search for %s asks for the windows around its joints', (_, text, expected) => {
  const windows = searchTerms(text).windows.split(' & ');
  expect(windows.map((window) => window.replace(/'(?::\*)?/g, ''))).toStrictEqual(
    expect.arrayContaining([...expected]),
  );
});
