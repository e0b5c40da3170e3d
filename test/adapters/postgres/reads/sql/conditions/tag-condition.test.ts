/** How tags are compared without regard to case, though they are stored in their original case. */
import { expect, test } from 'vitest';
import { tagCondition } from '#adapters/postgres/reads/sql/conditions/criterion-to-sql.ts';
import { foldCase } from '#domain/text/fold-case.ts';

test('only characters that can match are folded, without regard to a locale', () => {
  const like = (folded: string) => tagCondition({ kind: 'textLike', position: 'anywhere', folded });
  expect(like('vp')).toBe(
    `exists (select 1 from unnest(d.tags) e(tag) where lower(e.tag collate "C") like '%vp%')`,
  );
  expect(like('ki')).toBe(
    `exists (select 1 from unnest(d.tags) e(tag) where translate(lower(e.tag collate "C"), '\u212a\u0130', 'ki') like '%ki%')`,
  );
  expect(like('ß')).toContain(`translate(lower(e.tag collate "C"), 'ẞ', 'ß')`);
  expect(like('')).toBe(`d.tags <> '{}'`);
});

test('no character of the third plane or beyond changes when it is folded', () => {
  let changed = 0;
  for (let codePoint = 0x20000; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (foldCase(character) !== character) changed++;
  }
  expect(changed).toBe(0);
});
