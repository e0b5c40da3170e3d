/** What every checker of regular expressions promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';

export function testPatternChecker(backend: () => ContractBackend): void {
  const check = (...patterns: readonly string[]) => backend().checkPatterns(patterns, 'test');

  describe('PatternChecker', () => {
    test('reports nothing for no patterns', async () => {
      expect(await check()).toStrictEqual(new Map());
    });

    test.each([
      '',
      '^srv-[0-9]+$',
      '(?i)reception',
      '[[:alpha:]]+',
      'a{2,5}',
      '(a|b)*c?',
      'line.line',
      'naïve|🖨',
      '\\d+\\.\\d+',
      '***=a+b(',
    ])('accepts %j', async (pattern) => {
      expect(await check(pattern)).toStrictEqual(new Map());
    });

    test.each([
      ['(', 'parentheses () not balanced'],
      ['[a', 'brackets [] not balanced'],
      ['[[:nope:]]', 'invalid character class'],
      ['[b-a]', 'invalid character range'],
      ['*', 'quantifier operand invalid'],
      ['a**', 'quantifier operand invalid'],
      ['a{3,1}', 'invalid repetition count(s)'],
      ['a{256}', 'invalid repetition count(s)'],
      ['\\', 'invalid escape \\ sequence'],
      ['(a)\\2', 'invalid backreference number'],
    ])("refuses %j with PostgreSQL's own reason: %s", async (pattern, reason) => {
      const refused = await check(pattern);
      expect([...refused.keys()]).toStrictEqual([pattern]);
      expect(refused.get(pattern)).toContain(reason);
    });

    test('tells valid and invalid patterns apart in one call', async () => {
      const refused = await check('a+', '(', 'b*', '[z', '(');
      expect([...refused.keys()].toSorted()).toStrictEqual(['(', '[z']);
    });

    test('checks two thousand patterns independently', async () => {
      const good = Array.from({ length: 2000 }, (_, i) => `^host-${i}$`);
      const refused = await check(...good.slice(0, 1000), '(', ...good.slice(1000), ')', '[');
      expect([...refused.keys()].toSorted()).toStrictEqual(['(', ')', '[']);
    });
  });
}
