/** The page of results: the newest run of each section, missed goals, and how times grow. */
import { describe, expect, test } from 'vitest';
import { growthTable } from '../../bench/report/growth.ts';
import { type KeptRun, newestSections } from '../../bench/report/kept-results.ts';
import type { Section } from '../../bench/report/report.ts';
import { figuresOn, resultsPage } from '../../bench/report/results-page.ts';
import { fillSpeedTable, SPEED_ROWS } from '../../bench/report/speed-table.ts';
import { exponentOf } from '../../bench/report/statistics.ts';

const FACTS = {
  processor: 'Abacus',
  cores: 2,
  memoryGiB: 8,
  platform: 'linux x64',
  node: 'v26',
  loadAverage: 1,
};

function aSection(name: string, parts: Partial<Section> = {}): Section {
  return { name, goals: [], tables: [], notes: [], faults: [], ...parts };
}

function aRun(at: string, size: KeptRun['size'], ...sections: readonly Section[]): KeptRun {
  return { at, size, facts: FACTS, sections };
}

/** A section of previews in which one filter took `ms` milliseconds. */
function previews(size: KeptRun['size'], ms: number): Section {
  const table = { title: 'scope all, medians in ms', columns: ['filter', 'matches', 'preview'] };
  return aSection(`Previews of ${size} devices`, { tables: [{ ...table, rows: [['status', 7, ms]] }] });
}

function byNumber(of: string, ms: number): Section {
  const table = { title: `${of} by number of filters`, columns: ['filters', 'ms'], rows: [[10, ms]] };
  return aSection('Filters of a device', { tables: [table] });
}

describe('the page', () => {
  const goals = (value: number) => [
    { name: '100k: share', value, target: 0.5 },
    { name: '100k: other', value: 1234.5, target: null },
  ];

  test('shows the newest result of each section, with its run', () => {
    const page = resultsPage([
      aRun('2026-11-20 10:00', '100k', aSection('A on 100k', { goals: goals(0.7) })),
      aRun(
        '2026-11-21 11:00',
        '100k',
        aSection('A on 100k', { goals: goals(0.4321) }),
        aSection('B on 100k'),
      ),
    ]);
    expect(page).toContain('| 100k: share | 0.432 | 0.5 | **missed** | 2026-11-21 11:00 |');
    expect(page).toContain('| 100k: other | 1235 |  |  | 2026-11-21 11:00 |');
    expect(page).toContain(
      '| 2026-11-21 11:00 | 100k | A, B | Abacus, 2 cores, 8 GiB, linux x64, Node v26, load 1 |',
    );
    expect(page).not.toContain('2026-11-20');
  });

  test('says which goals are met, and what was wrong', () => {
    const page = resultsPage([
      aRun('2026-11-20 10:00', '10k', aSection('A', { goals: goals(0.5), faults: ['one differs'] })),
    ]);
    expect(page).toContain('| 100k: share | 0.5 | 0.5 | met | 2026-11-20 10:00 |');
    expect(page).toContain('- WRONG: A: one differs');
  });

  test('keeps results that were not measured again', () => {
    const earlier = resultsPage([
      aRun('2026-11-20 10:00', '10k', aSection('A', { goals: goals(0.5) }), previews('10k', 1)),
      aRun('2026-11-20 11:00', '100k', aSection('B', { goals: [{ name: 'b', value: 2, target: null }] })),
      aRun('2026-11-20 12:00', '100k', previews('100k', 10), byNumber('an inventory', 7)),
    ]);
    const page = resultsPage(
      [
        aRun(
          '2026-11-21 09:00',
          '100k',
          aSection('B', { goals: [{ name: 'b', value: 3, target: 2 }] }),
          previews('100k', 100),
        ),
      ],
      earlier,
    );
    expect(page).toContain('| 100k: share | 0.5 | 0.5 | met | 2026-11-20 10:00 |');
    expect(page).toContain('| b | 3 | 2 | met | 2026-11-21 09:00 |');
    expect(page).toContain('| preview: status | 1 | 100 |  | 2 |');
    expect(page).toContain('an inventory by number of filters:\n\n| filters | ms |');
    expect(page).toMatch(/\| 2026-11-20 10:00 \| 10k .*\n\| 2026-11-21 09:00 \| 100k /);
    expect(page).not.toContain('2026-11-20 11:00');
    expect(resultsPage([], page)).toBe(page);
  });

  test('can be parsed back into its figures', () => {
    const page = resultsPage([aRun('2026-11-20 10:00', '10k', aSection('A', { goals: goals(0.5) }))]);
    expect(figuresOn(page)).toStrictEqual(
      new Map([
        ['100k: share', 0.5],
        ['100k: other', 1235],
      ]),
    );
  });
});

describe('growth', () => {
  test.each<[number, readonly (readonly [number, number])[]]>([
    [
      0,
      [
        [10, 5],
        [100, 5],
      ],
    ],
    [
      1,
      [
        [10, 5],
        [100, 50],
        [1_000, 500],
      ],
    ],
    [
      0.5,
      [
        [1, 1],
        [100, 10],
      ],
    ],
  ])('has the exponent %d', (exponent, points) => {
    expect(exponentOf(points)).toBeCloseTo(exponent);
  });

  test('is unknown for a single size', () => {
    expect(exponentOf([[10, 5]])).toBeNull();
  });

  test('is computed from the runs of all sizes', () => {
    const kept = newestSections([
      aRun('2026-11-20 10:00', '10k', previews('10k', 1)),
      aRun('2026-11-20 11:00', '1m', previews('1m', 100)),
    ]);
    expect(growthTable(kept).rows).toStrictEqual([['preview: status', 1, '', 100, 1]]);
  });
});

describe("the README's table", () => {
  const readme = SPEED_ROWS.map(({ says }) => `| ${says} | old | 1 |`).join('\n');
  const [row = SPEED_ROWS[0]] = SPEED_ROWS;

  test('takes measured figures, and keeps the rest', () => {
    const filled = fillSpeedTable(readme, new Map([[row?.figures[0] ?? '', 0.876]]));
    expect(filled).toBe(readme.replace('| old |', '| 0.88 |'));
  });

  test('must have every row', () => {
    expect(() => fillSpeedTable(readme.replace(row?.says ?? '', 'something else'), new Map())).toThrow(
      row?.says,
    );
  });
});
