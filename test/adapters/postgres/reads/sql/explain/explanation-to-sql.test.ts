/** How a filter becomes the statement that explains it, written out as it is sent. */
import { describe, expect, test } from 'vitest';
import { NO_TITLES } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { explanationToSql } from '#adapters/postgres/reads/sql/explain/explanation-to-sql.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import type { DeviceId } from '#domain/ids.ts';
import { SYSTEM_SCOPE } from '#test/support/builders.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';

const A: RawCondition = { field: 'osBuild', operator: 'equals', value: 'a' };
const B: RawCondition = { field: 'hostname', operator: 'startsWith', value: 'b' };
const C: RawCondition = { field: 'isHeadless', operator: 'equals', value: true };
const DEVICE_ID = '0198f0c0-0000-7000-8000-0000000000d1' as DeviceId;

function compile(group: RawGroup) {
  return explanationToSql(listNodes(parseFilter(group)), { at: 0, titleIds: NO_TITLES });
}

describe('an explanation', () => {
  test('packs the conditions of a device into bits, each once', () => {
    expect(compile(and(A, or(B, A))).keys).toStrictEqual([
      "case when d.os_build = 'a'::text then '1'::int8 else '0'::int8 end | case when d.hostname_lc like 'b%' then '2'::int8 else '0'::int8 end",
    ]);
  });

  test('derives groups from the bits and from other groups', () => {
    const { steps, counted } = compile(and(A, B, or(B, C)));
    expect(steps).toStrictEqual([
      [
        "(((p.k0 & '6'::int8) <> 0)) as g3",
        "(((p.k0 & '3'::int8) = '3'::int8) and (((p.k0 & '6'::int8) <> 0))) as g0",
        "(not ((p.k0 & '3'::int8) = '3'::int8))::int4 + (not (((p.k0 & '6'::int8) <> 0)))::int4 as f0",
      ],
    ]);
    expect(counted).toStrictEqual([
      'p.g0',
      "(p.k0 & '1'::int8) = '1'::int8",
      "((p.k0 & '2'::int8) = '2'::int8 and p.f0 = (not ((p.k0 & '3'::int8) = '3'::int8))::int4)",
      "(p.k0 & '2'::int8) = '2'::int8",
      "((p.k0 & '1'::int8) = '1'::int8 and p.f0 = (not ((p.k0 & '3'::int8) = '3'::int8))::int4)",
      'p.g3',
      'p.f0 = (not (p.g3))::int4',
      "(p.k0 & '4'::int8) = '4'::int8",
    ]);
  });

  test('computes deep groups in steps, so that no expression has more than sixteen levels', () => {
    let deep = and(A, B);
    for (let level = 1; level < 40; level++) deep = level % 2 === 0 ? and(A, deep) : or(B, deep);
    const { steps } = compile(deep);
    expect(steps.map((step) => step.filter((column) => / as g\d+$/.test(column)).length)).toStrictEqual([
      15, 16, 9,
    ]);
    expect(Math.max(...steps.flat().map(({ length }) => length))).toBeLessThan(2_000);
  });

  test('spreads conditions over several numbers if one has too few bits', () => {
    const many = Array.from({ length: 60 }, (_, i) => ({
      field: 'hostname',
      operator: 'contains',
      value: `h${i}`,
    }));
    const { keys, counted } = compile(and(...many));
    expect(keys).toHaveLength(2);
    expect(counted.at(-1)).toBe(
      `((p.k1 & '${2 ** 7 - 1}'::int8) = '${2 ** 7 - 1}'::int8 and p.f0 = (not ((p.k1 & '${2 ** 8 - 1}'::int8) = '${2 ** 8 - 1}'::int8))::int4)`,
    );
  });

  test('is one statement', () => {
    const statement = ScopedStatement.explain(SYSTEM_SCOPE, compile(or(A)), null, null);
    expect(statement.text.replaceAll(/\s+/g, ' ')).toBe(
      "select null as total, sum(p.n) as tallied, sum(p.n) filter (where p.g0), sum(p.n) filter (where (p.k0 & '1'::int8) = '1'::int8)" +
        " from (select p.*, (((p.k0 & '1'::int8) <> 0)) as g0 from (select k0, count(*) as n from (select" +
        " case when d.os_build = 'a'::text then '1'::int8 else '0'::int8 end as k0 from device d where true offset 0)" +
        ' b group by k0) p offset 0) p',
    );
  });

  test('includes the requested device beside the counts', () => {
    const { text } = ScopedStatement.explain(SYSTEM_SCOPE, compile(or(A, C)), DEVICE_ID, null);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      / to_json\(d\.os_build\), to_json\(d\.is_headless\) from device d where true and d\.id = '0198f0c0-0000-7000-8000-0000000000d1'::uuid \) a on true$/,
    );
  });
});
