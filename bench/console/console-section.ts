/** Tables and goals of the console. */
import type { FleetPlan } from '../fleet/fleet-plan.ts';
import { type Goal, round, type Section } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import type { Recorded, Scrolled } from './in-page/recording.ts';

export interface Sample extends Recorded {
  /** The API call alone. */
  readonly alone: number;
}

export interface Measured {
  readonly title: string;
  readonly samples: readonly Sample[];
  /** The console waits this long on purpose, in milliseconds. */
  readonly pause: number;
}

export interface MeasuredScroll extends Scrolled {
  readonly title: string;
}

export function toSection(
  measured: readonly Measured[],
  scrolls: readonly MeasuredScroll[],
  { size }: FleetPlan,
): Section {
  return {
    name: `Console on ${size} devices, in Chromium`,
    goals: toGoals(measured, scrolls, size),
    tables: [
      {
        title: 'what a person waits for, medians in ms',
        columns: ['', 'samples', 'waited', 'worst', 'the API alone', 'x the API', 'long tasks', 'longest'],
        rows: measured.map(({ title, samples, pause }) => [
          pause === 0 ? title : `${title}, without the pause of ${pause} ms`,
          samples.length,
          round(median(samples.map(({ ms }) => ms - pause))),
          round(Math.max(...samples.map(({ ms }) => ms - pause))),
          round(median(samples.map(({ alone }) => alone))),
          round(timesApi({ samples, pause })),
          ...describeTasks(samples.flatMap(({ longTasks }) => longTasks)),
        ]),
      },
      {
        title: 'scrolling',
        columns: ['', 'frames', 'dropped', 'with rows that were loading', 'long tasks', 'longest'],
        rows: scrolls.map(({ title, frames, dropped, incomplete, longTasks }) => [
          title,
          ...[frames, dropped, incomplete, ...describeTasks(longTasks)],
        ]),
      },
    ],
    notes: [
      'From the last key or click to the frame that shows the rows, the count or the heading. The API alone: the same',
      'call from another page of the browser, right before. Long tasks: over 50 ms. Browser, service and database share',
      'the machine.',
    ],
    faults: [],
  };
}

/** Number of tasks, and the longest in milliseconds. */
function describeTasks(longTasks: readonly number[]): readonly [number, number] {
  return [longTasks.length, round(Math.max(0, ...longTasks))];
}

function timesApi({ samples, pause }: Pick<Measured, 'samples' | 'pause'>): number {
  return median(samples.map(({ ms, alone }) => (ms - pause) / alone));
}

/** Above the target it is fast enough. */
function toGoals(
  measured: readonly Measured[],
  scrolls: readonly MeasuredScroll[],
  size: string,
): readonly Goal[] {
  const [typing] = measured as readonly [Measured];
  const tasks = [...typing.samples, ...scrolls].flatMap(({ longTasks }) => longTasks);
  return [
    {
      name: `${size}: the API alone and the pause/typing to the new count`,
      value: median(typing.samples.map(({ ms, alone }) => (alone + typing.pause) / ms)),
      target: 0.67,
    },
    {
      name: `${size}: 50 ms/longest task while typing and scrolling`,
      value: 50 / Math.max(50, ...tasks),
      target: 1,
    },
    {
      name: `${size}: frames drawn in time while scrolling`,
      value: Math.min(...scrolls.map(({ frames, dropped }) => frames / (frames + dropped))),
      target: null,
    },
  ];
}
