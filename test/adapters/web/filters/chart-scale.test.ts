import { describe, expect, test } from 'vitest';
import { scaleOf } from '#console/pages/filters/edit/live/chart-scale.ts';

describe('the scale of the chart', () => {
  test.each([
    { counts: [0, 0], low: 0, high: 1, ticks: [0, 1] },
    { counts: [5, 5], low: 5, high: 6, ticks: [5, 6] },
    { counts: [0, 2], low: 0, high: 2, ticks: [0, 1, 2] },
    { counts: [3, 100], low: 0, high: 100, ticks: [0, 50, 100] },
    { counts: [31_000, 31_017], low: 31_000, high: 31_020, ticks: [31_000, 31_010, 31_020] },
  ])('fits the counts $counts', ({ counts, low, high, ticks }) => {
    expect(scaleOf(counts)).toStrictEqual({ low, high, ticks });
  });
});
