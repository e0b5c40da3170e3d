/** How the palette reads a text, and what matches (Contract: §14). */
import { describe, expect, test } from 'vitest';
import { matching, placeOf, readWanted, tidy } from '#console/palette/match.ts';

function row(title: string, context?: string) {
  return { id: title, title, ...(context !== undefined && { context }) };
}

describe('the first character narrows the search', () => {
  test.each([
    ['>theme', { kind: 'commands', text: 'theme' }],
    [' # vip ', { kind: 'filters', text: 'vip' }],
    ['@', { kind: 'organizations', text: '' }],
    ['a > b', { kind: 'everything', text: 'a > b' }],
    ['  ', { kind: 'everything', text: '' }],
  ] as const)('%j is read as %j', (typed, wanted) => {
    expect(readWanted(typed)).toStrictEqual(wanted);
  });
});

test('rows match by title before context, in any case', () => {
  const [inContext, inTitle, other] = [row('One', 'Zürich'), row('ZÜRICH'), row('Two')];
  expect(matching([inContext, inTitle, other], 'zürich')).toStrictEqual([inTitle, inContext]);
});

test.each([
  ['zin', 'Zinnia', { start: 0, end: 3 }],
  ['İ', 'a i b', { start: 2, end: 3 }],
  ['x', 'Zinnia', null],
  ['', 'Zinnia', null],
] as const)('%j is found in %j at %j', (text, title, place) => {
  expect(placeOf(text, title)).toStrictEqual(place);
});

test('no row appears twice, and no group is empty', () => {
  const [one, two] = [row('One'), row('Two')];
  const groups = [
    { title: 'Recent', rows: [one] },
    { title: 'Devices', rows: [one, two] },
    { title: 'Scripts', rows: [two] },
  ];
  expect(tidy(groups)).toStrictEqual([
    { title: 'Recent', rows: [one] },
    { title: 'Devices', rows: [two] },
  ]);
});
