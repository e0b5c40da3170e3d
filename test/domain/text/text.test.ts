/** Texts: folding, order, length, and what can be stored. */
import { expect, test } from 'vitest';
import { comparePreviewOrder } from '#domain/device/device-row.ts';
import { isUuid, parseId } from '#domain/ids.ts';
import { statusFromInventory } from '#domain/inventory/device-inventory.ts';
import { compareCodePoints, countCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { isBlank, unstorableReason } from '#domain/text/storable-text.ts';
import { aDevice, newId, SOME_INSTANT } from '#test/support/builders.ts';

test.each([
  ['', ''],
  ['Reception PC', 'reception pc'],
  ['ÉCOLE', 'école'],
  ['Straße', 'straße'],
  ['\u1e9e', 'ß'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'οδος'],
  ['ΣΑΣ ΣΑΣ.', 'σασ σασ.'],
  ['İstanbul', 'istanbul'],
  ['I', 'i'],
  ['ı', 'ı'],
  ['\u212a', 'k'],
  ['ǅ', 'ǆ'],
  ['𐐀', '𐐨'],
  ['Ⅷ', 'ⅷ'],
  ['🖨', '🖨'],
])('folds %j to %j', (text, folded) => {
  expect(foldCase(text)).toBe(folded);
});

test('folding keeps the number of code points, whatever the character', () => {
  const grown: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    const character = String.fromCodePoint(codePoint);
    // Some characters have another lower case beside a letter.
    if (countCodePoints(foldCase(`a${character}`)) !== 2) grown.push(character);
  }
  expect(grown).toStrictEqual([]);
});

test('folding a character does not depend on its neighbors', () => {
  const text = 'ΑΣ İ ΣΑ';
  expect([...text].map(foldCase).join('')).toBe(foldCase(text));
});

test('texts are ordered by code point, surrogates last', () => {
  const texts = [
    '',
    'A',
    'AB',
    'B',
    'a',
    '\ud7ff',
    '\ue000',
    '\uff5e',
    '\uffff',
    '\u{10000}',
    '🖨',
    '🖨a',
    '\u{10ffff}',
  ];
  expect(texts.toReversed().toSorted(compareCodePoints)).toStrictEqual(texts);
  expect(compareCodePoints('🖨', '🖨')).toBe(0);
});

test('devices are ordered by folded hostname, then id', () => {
  const { kind: _kind, ...device } = aDevice({ orgId: newId() });
  const named = (hostname: string) => ({
    ...device,
    id: newId<'device'>(),
    hostname,
    pendingPatchCount: 0,
    criticalAlertCount: 0,
  });
  const devices = ['_', 'Alpha', 'ALPHA', 'alpha-2', 'ß', '～', '🖨'].map(named);
  expect(devices.toReversed().toSorted(comparePreviewOrder)).toStrictEqual(devices);
});

test.each([
  ['', 0],
  ['abc', 3],
  ['🖨', 1],
  ['e\u0301', 2],
])('counts the code points of %j', (text, count) => {
  expect(countCodePoints(text)).toBe(count);
});

test.each([
  ['', null],
  ['Büro 🖨\n\t', null],
  ['a\u0000', 'must not contain a NUL character (U+0000)'],
  ['\ud83d', 'must not contain an unpaired surrogate'],
  ['\udda8\ud83d', 'must not contain an unpaired surrogate'],
])('the reason why %j cannot be stored: %s', (text, reason) => {
  expect(unstorableReason(text)).toBe(reason);
});

test.each(['0198F0C0-0000-7000-8000-0000000000A1', '0198f0c0-0000-7000-8000-0000000000a1'])(
  'takes %s as an id, in canonical form',
  (text) => {
    expect(parseId(text)).toBe('0198f0c0-0000-7000-8000-0000000000a1');
  },
);

test.each([
  null,
  5,
  '',
  'abc',
  '0198f0c000007000800000000000 0a1',
  '0198f0c00000700080000000000000a1',
  '{0198f0c0-0000-7000-8000-0000000000a1}',
  ' 0198f0c0-0000-7000-8000-0000000000a1',
  '0198f0c0-0000-7000-8000-0000000000a1\n',
  '0198f0c0-0000-7000-8000-0000000000g1',
])('does not take %j as an id', (value) => {
  expect(parseId(value)).toBeNull();
  expect(typeof value === 'string' && isUuid(value)).toBe(false);
});

test.each([
  [SOME_INSTANT, 'online'],
  [SOME_INSTANT - 86_399_999, 'online'],
  [SOME_INSTANT - 86_400_000, 'offline'],
  [SOME_INSTANT + 86_400_000, 'online'],
])('an inventory of %s makes its device %s', (takenAt, status) => {
  expect(statusFromInventory(takenAt, SOME_INSTANT)).toBe(status);
});

test.each([
  ['', true],
  [' \t\r\n\u00a0\u2028\ufeff', true],
  ['\u0001\u007f\u0085', true],
  [' \u0085a', false],
  ['\u00ad', false],
  ['\u0000', false],
])('%j is blank: %s', (text, expected) => {
  expect(isBlank(text)).toBe(expected);
});
