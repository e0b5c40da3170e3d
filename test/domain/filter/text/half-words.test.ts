/** Unfinished words that a search would take for names; `|` is the cursor. */
import { describe, expect, test } from 'vitest';
import { completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import { toValueItem } from '#domain/filter/text/complete/completion-items.ts';
import { findMeaning, halfKeyAtEnd, isHalfWord } from '#domain/filter/text/complete/half-words.ts';
import { TEXT_CATALOG } from './text-catalog.ts';

const TAGS = ['finance', 'vip', 'vip-2'];

function isHalf(marked: string): boolean {
  const at = marked.indexOf('|');
  const completion = completeFilterText(marked.replace('|', ''), at, TEXT_CATALOG);
  const tags = completion.source === 'tags' ? TAGS.filter((tag) => tag.includes(completion.typed)) : [];
  const items = [...tags.map((tag) => toValueItem(tag)), ...completion.items];
  return isHalfWord(completion, items, at, TEXT_CATALOG);
}

test.each([
  'stat|',
  'status|',
  'host:a -stat|',
  'status:onl|',
  'tags:fi|',
  'tags:[vip,fi|]',
  'reboot:y|',
  'cpu>90|',
])('%s is half a word', (marked) => {
  expect(isHalf(marked)).toBe(true);
});

test.each([
  // Nothing begun, a whole word, or a word that the cursor has left.
  '|',
  'stat |',
  'sta|t',
  'status:|',
  'status:online|',
  'tags:vip|',
  'tags:VIP|',
  'tags:nobody|',
  // A part of a text is enough to search for, and a quoted word is a name.
  'host:an|',
  'user:no|',
  'software:chr|',
  '"stat|',
  'anr|',
  // Words of the grammar; `org` begins like one.
  'a OR|',
  'a NOT|',
])('%s is not half a word', (marked) => {
  expect(isHalf(marked)).toBe(false);
});

describe('at the end of a text', () => {
  test.each([
    ['host:a stat', 'stat', 'status:'],
    ['cpu>90', 'cpu>90', 'cpu:>90'],
  ])('the half word in %s is found', (text, written, insert) => {
    const half = halfKeyAtEnd(text, TEXT_CATALOG);
    expect([text.slice(half?.from, half?.to), half?.item.insert]).toStrictEqual([written, insert]);
  });

  test.each(['', 'stat ', 'stat host:a', 'tags:fi', 'anr-ws'])('%j has no half word', (text) => {
    expect(halfKeyAtEnd(text, TEXT_CATALOG)).toBeNull();
  });
});

test.each([
  ['windows', 'windows', 'os:windows'],
  ['host:a -Windows', 'Windows', 'os:windows'],
  ['(anr OR server) online', 'server', 'role:server'],
])('%s may mean a value of a field', (text, written, insert) => {
  const meaning = findMeaning(text, TEXT_CATALOG);
  expect([text.slice(meaning?.from, meaning?.to), meaning?.insert]).toStrictEqual([written, insert]);
});

test.each(['', 'windows-pc', '"windows"', 'host:windows', 'os:windows'])(
  '%j has no other meaning',
  (text) => {
    expect(findMeaning(text, TEXT_CATALOG)).toBeNull();
  },
);
