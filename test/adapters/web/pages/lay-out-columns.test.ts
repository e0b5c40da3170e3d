import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOutColumns } from '#console/pages/devices/table/lay-out-columns.ts';

const COLUMNS = [
  { id: 'name', width: 240 },
  { id: 'status', width: 150 },
  { id: 'user', width: 120 },
];

const widths = (...given: Parameters<typeof layOutColumns>) => layOutColumns(...given).widths;

test('columns get the width of their content, and a share of the remaining room', () => {
  expect(widths(COLUMNS, { name: 100, status: 100, user: 200 }, {}, 800)).toStrictEqual([200, 200, 400]);
});

test('only the widest columns shrink if there is less room', () => {
  expect(widths(COLUMNS, { name: 250, status: 80, user: 900 }, {}, 800)).toStrictEqual([250, 80, 470]);
});

test('a column keeps a width set by hand, and the others share the rest', () => {
  expect(widths(COLUMNS, { name: 100, status: 100, user: 100 }, { status: 300 }, 700)).toStrictEqual([
    ...[200, 300, 200],
  ]);
});

test('a list without room scrolls sideways, and its name column shrinks to leave room', () => {
  expect(layOutColumns(COLUMNS, { name: 900, status: 100, user: 900 }, {}, 320)).toStrictEqual({
    widths: [150, 100, 320],
    isWide: true,
  });
});

test('columns fill the room, and none is narrower than it has to be', () => {
  const size = fc.integer({ min: 20, max: 2_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(size, size), { minLength: 1, maxLength: 20 }), size, (sizes, room) => {
      const columns = sizes.map(([width], i) => ({ id: String(i), width }));
      const natural = Object.fromEntries(sizes.map(([, content], i) => [i, content]));
      const laid = layOutColumns(columns, natural, {}, room);
      const total = laid.widths.reduce((sum, width) => sum + width, 0);
      if (!laid.isWide) expect(total).toBe(room);
      laid.widths.forEach((width, i) => {
        const [least = 0, content = 0] = sizes[i] ?? [];
        if (i > 0) expect(width).toBeGreaterThanOrEqual(Math.min(least, content));
      });
    }),
  );
});
