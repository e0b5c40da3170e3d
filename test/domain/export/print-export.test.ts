/** Exports as text: CSV that any reader reads back and no spreadsheet runs, and JSON line by line. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExportColumn, ExportRow } from '#domain/export/export-column.ts';
import { parseExportFields } from '#domain/export/parse-export-fields.ts';
import { makeExportPrinter } from '#domain/export/print-export.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';
import { readCsv } from '#test/support/read-csv.ts';

const DAY_MS = 86_400_000;

function columnsOf(...fields: readonly string[]): readonly ExportColumn[] {
  const columns = parseExportFields(fields, CORE_CATALOG);
  if (!columns.ok) throw new Error(JSON.stringify(columns.error));
  return columns.value;
}

function print(format: 'csv' | 'ndjson', fields: readonly string[], ...rows: readonly ExportRow[]): string {
  const { head, row } = makeExportPrinter(format, columnsOf(...fields), SOME_INSTANT);
  return head + rows.map(row).join('');
}

const OF_EVERY_KIND = [
  'id',
  'hostname',
  'uptimeSeconds',
  'isHeadless',
  'lastSeenAt',
  'daysSinceLastSeen',
  'tags',
];
const SEEN = SOME_INSTANT - 3 * DAY_MS + 1;

describe('CSV', () => {
  test('has a header, a line for each device, and empty cells for missing values', () => {
    const text = print(
      'csv',
      OF_EVERY_KIND,
      ['x', 'srv-1', 1.5, true, SEEN, SEEN, ['vip', 'b c']],
      ['y', 'srv-2', null, null, null, null, []],
    );
    expect(text).toBe(
      'id,hostname,uptimeSeconds,isHeadless,lastSeenAt,daysSinceLastSeen,tags\r\n' +
        'x,srv-1,1.5,true,2026-02-07T08:00:00.001Z,2,vip; b c\r\n' +
        'y,srv-2,,,,,\r\n',
    );
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ["'=1", "'=1"],
    [' =1', "' =1"],
    ['\u00a0\u3000=1', "'\u00a0\u3000=1"],
    ['\n=1', `"'\n=1"`],
    ['\n1', '"\n1"'],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['a;=1', "a;'=1"],
    ['a; \t-1;+2', "a; \t'-1;'+2"],
    [' ;＝1', " ;'＝1"],
    ['=1;@2', "'=1;'@2"],
    ['a;b - c', 'a;b - c'],
    ['a=1', 'a=1'],
    ['a -1', 'a -1'],
  ])('prints the text %j as %j', (text, cell) => {
    expect(print('csv', ['id', 'hostname'], ['x', text])).toBe(`id,hostname\r\nx,${cell}\r\n`);
  });

  test('guards each text of a list against formulas', () => {
    expect(print('csv', ['id', 'tags'], ['x', ['=a', '=b']])).toBe("id,tags\r\nx,'=a; '=b\r\n");
    expect(print('csv', ['id', 'tags'], ['x', ['a', '=b']])).toBe("id,tags\r\nx,a; '=b\r\n");
  });

  test('does not guard negative numbers', () => {
    expect(print('csv', ['id', 'uptimeSeconds'], ['x', -1.5])).toBe('id,uptimeSeconds\r\nx,-1.5\r\n');
  });

  test('never has an empty line, which readers skip', () => {
    expect(print('csv', ['displayName'], [null], [''], ['a'])).toBe('displayName\r\n""\r\n""\r\na\r\n');
  });

  /** The guarded cell, part by part, since some spreadsheets split cells at semicolons. */
  function guarded(cell: string): string {
    const guard = (part: string, i: number) => {
      const formula = part.trimStart();
      const isFormula = formula !== '' && '=+-@＝＋－＠'.includes(formula.charAt(0));
      if (i === 0) return isFormula || /^[\t\r]/.test(part) ? `'${part}` : part;
      return isFormula ? `${part.slice(0, part.length - formula.length)}'${formula}` : part;
    };
    return cell.split(';').map(guard).join(';');
  }

  test('can be read back field by field, whatever the texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'=+-@＝－\t\r\n,;"\' a') }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.option(text), fc.array(text, { maxLength: 3 }))), (rows) => {
        const printed = print('csv', ['hostname', 'displayName', 'tags'], ...rows);
        expect(readCsv(printed)).toStrictEqual([
          ['hostname', 'displayName', 'tags'],
          ...rows.map(([a, b, c]) => [a, b ?? '', c.join('; ')].map(guarded)),
        ]);
      }),
    );
  });
});

describe('NDJSON', () => {
  test('has an object on each line, with typed values', () => {
    const text = print(
      'ndjson',
      OF_EVERY_KIND,
      ['x', 'a "b"\n', 1.5, false, SEEN, SEEN, ['vip', '=1']],
      ['y', '=1', null, null, null, null, []],
    );
    expect(text.endsWith('}\n')).toBe(true);
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toStrictEqual([
      {
        id: 'x',
        hostname: 'a "b"\n',
        uptimeSeconds: 1.5,
        isHeadless: false,
        lastSeenAt: '2026-02-07T08:00:00.001Z',
        daysSinceLastSeen: 2,
        tags: ['vip', '=1'],
      },
      {
        id: 'y',
        hostname: '=1',
        uptimeSeconds: null,
        isHeadless: null,
        lastSeenAt: null,
        daysSinceLastSeen: null,
        tags: [],
      },
    ]);
  });

  test('has its members in the order of the columns, named by field keys', () => {
    expect(print('ndjson', ['site', 'metrics.cpuPercent', 'id'], [null, 7, 'x'])).toBe(
      '{"site":null,"metrics.cpuPercent":7,"id":"x"}\n',
    );
  });

  test('is empty without devices', () => {
    expect(print('ndjson', ['id'])).toBe('');
  });

  test('prints the elapsed days of a future date as a negative number', () => {
    expect(print('ndjson', ['daysSinceEnrolled'], [SOME_INSTANT + 1])).toBe('{"daysSinceEnrolled":-1}\n');
  });
});
