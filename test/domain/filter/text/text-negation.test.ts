/** Laws over texts rather than trees: a text and its negation share no device, and both print stably. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import { parseFilter } from '#test/support/filters.ts';
import { EVALUATION_INSTANTS } from '#test/support/random/random-scalars.ts';
import { type LawWorld, openLawWorld } from './law-world.ts';

const SEED = 20260211;

const noNames = () => [];

const TERM = fc.constantFrom(
  ...[
    'a',
    '"a b"',
    '5',
    'srv',
    'host:a',
    'host:=a',
    'host:=a,b',
    'host:=[]',
    'name:none',
    'user:any',
    'agent:""',
  ],
  ...[
    'status:online',
    'status:online,offline',
    'os:windows',
    'isHeadless:yes',
    'isHeadless:no,yes',
    'reboot:no',
  ],
  ...['isHeadless:none', 'cpu:5', 'cpu:>5', 'cpu:>=0', 'ram:<1', 'disk:<=100', 'cpu:0..5', 'cores:none'],
  ...[
    'daysSinceLastSeen:>1',
    'daysSinceEnrolled:3',
    'seen:2026-02-10',
    'seen:>2026-02-10',
    'seen:>=2026-02-10',
  ],
  ...[
    'seen:<2026-02-10',
    'seen:<=2026-02-10',
    'seen:2026-02-01..2026-03-31',
    'seen:7d',
    'seen:<2mo',
    'seen:>1h',
  ],
  ...['enrolled:2026-03-31T23:59:59.999Z', 'enrolled:>=2026-03-31T23:59:59.999Z', 'quarantinedAt:none'],
  ...['tags:a', 'tags:a,b', 'tags:[a,b]', 'tags:[]', 'tags:none', 'tags:any', 'tags.name:a', 'tags.name:=a'],
  ...['tags.name:none', 'ip:1', 'mac:none', 'software:a', 'software:=a', 'software:=a,b', 'software:=[]'],
  ...['software:[a,b]', 'software:[]', 'software.notInstalled:a', 'software.notInstalled:=a'],
  ...['software.notInstalled:=[]'],
);

/** Any text made of the terms. */
const TEXT: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    TERM,
    TERM.map((term) => `-${term}`),
    fc
      .tuple(
        fc.constantFrom('', '-', 'NOT ', '--'),
        tie('text'),
        fc.constantFrom(' ', ' AND ', ' OR '),
        tie('text'),
      )
      .map(([sign, left, operator, right]) => `${sign}(${left}${operator}${right})`),
  ),
})).text;

function matching(world: LawWorld, text: string, at: number): readonly string[] {
  const parsed = parseFilterText(text, world.catalog, noNames);
  if (!parsed.ok) throw new Error(`${text} is refused: ${JSON.stringify(parsed.error)}`);
  const filter = parseFilter(parsed.value, world.catalog);
  const printed = formatConditions(filter);
  const again = parseFilterText(printed, world.catalog, noNames);
  if (!again.ok) throw new Error(`${printed} is refused: ${JSON.stringify(again.error)}`);
  const readAgain = parseFilter(again.value, world.catalog);
  expect(formatConditions(readAgain)).toBe(printed);
  const ids = world.matching(filter, at);
  expect(world.matching(readAgain, at), printed).toStrictEqual(ids);
  return ids ?? [];
}

test('each device matches either a text or its negation', async () => {
  const world = await openLawWorld(SEED, 60);
  fc.assert(
    fc.property(TEXT, fc.constantFrom(...EVALUATION_INSTANTS), (text, at) => {
      const both = [...matching(world, text, at), ...matching(world, `-(${text})`, at)];
      expect(both.toSorted(), text).toStrictEqual(world.devices.map(({ id }) => id as string).toSorted());
    }),
    { numRuns: Number(process.env.TEXT_LAW_RUNS ?? 1500), seed: SEED },
  );
});
