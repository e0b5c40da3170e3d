/**
 * The console on a large fleet in a real browser: waits of a person, against the API call alone, and the time that the
 * page was busy.
 */
import { TYPING_PAUSE_MS } from '#console/pages/search.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import type { FleetPlan } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import type { Section } from '../report/report.ts';
import { type Measured, type MeasuredScroll, type Sample, toSection } from './console-section.ts';
import type { Recorded } from './in-page/recording.ts';
import { type MeasuredConsole, openMeasuredConsole } from './measured-console.ts';

interface ListedPage {
  readonly data: readonly {
    readonly id: string;
    readonly hostname: string;
    readonly displayName: string | null;
  }[];
  readonly totalCount: number | null;
}

/** The console requests this many rows. */
const PAGE_SIZE = 100;

/** The pause between keys of a fast typist. */
const KEY_MS = 60;

/** Typed into the filter, each in place of the last. The first does not count. */
const FILTERS = [
  'status:online',
  'status:offline',
  'os:windows disk>90',
  'host:srv-sql',
  'tags:vip',
  'seen:<7d -role:printer',
  'os:linux status:online',
  '(cpu>90 OR disk>95)',
  'host:7f3a',
  'tags:finance seen:>30d',
] as const;

/** Each is sorted once in each direction. */
const SORTS = [
  ['Status', 'status'],
  ['OS', 'osType'],
  ['Last seen', 'lastSeenAt'],
  ['CPU', 'metrics.cpuPercent'],
  ['Disk', 'metrics.diskPercent'],
] as const;

const OPENED = 8;

/** Windows to page through. */
const TURNED = 30;

/** Frames, and pixels in each: 15 rows a second to read, 200 to move. */
const SCROLLS = [
  { title: 'reading, 9 pixels a frame', frames: 240, pixels: 9 },
  { title: 'hurrying, 120 pixels a frame', frames: 240, pixels: 120 },
] as const;

export async function measureConsole(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  tell(`console on ${plan.size}`);
  const bench = await openMeasuredConsole(database.url);
  try {
    const typing = await measureTyping(bench);
    tell('console: scrolling');
    const scrolls: MeasuredScroll[] = [];
    for (const { title, frames, pixels } of SCROLLS) {
      await goTo(bench, 'Home');
      scrolls.push({ title, ...(await bench.scroll(frames, pixels)) });
    }
    const turning = await measureTurning(bench);
    const { sorting, jumping } = await measureSorting(bench);
    const { opening, returning } = await measureOpening(bench);
    return toSection([typing, turning, jumping, sorting, opening, returning], scrolls, plan);
  } finally {
    await bench.close();
  }
}

/** From the last key to the count. */
async function measureTyping({ page, record, callAlone }: MeasuredConsole): Promise<Measured> {
  tell('console: typing');
  const samples: Sample[] = [];
  const filter = page.getByRole('textbox', { name: 'Filter devices' });
  for (const q of FILTERS) {
    const { ms: alone, data } = await callAlone<ListedPage>(listCall({ q }));
    await filter.focus();
    await page.keyboard.press('Control+A');
    const recorded = await record({ kind: 'count', text: countText(data.totalCount) }, () =>
      page.keyboard.type(q, { delay: KEY_MS }),
    );
    samples.push({ ...recorded, alone });
  }
  const { data: all } = await callAlone<ListedPage>(listCall({}));
  await record({ kind: 'count', text: countText(all.totalCount) }, () =>
    page.getByRole('button', { name: 'Clear filter' }).click(),
  );
  return { title: 'typing to the new count', samples: samples.slice(1), pause: TYPING_PAUSE_MS };
}

/** From the key to the rows of the next window. */
async function measureTurning(bench: MeasuredConsole): Promise<Measured> {
  tell('console: turning pages');
  const { record, callAlone, page } = bench;
  const first = await callAlone<{ readonly nextCursor: string }>(listCall({}));
  const { ms: alone } = await callAlone(listCall({ cursor: first.data.nextCursor }));
  await goTo(bench, 'Home');
  const samples: Sample[] = [];
  for (let i = 0; i < TURNED; i++) {
    const recorded = await record({ kind: 'rows', from: await scrolledTo(bench) }, () =>
      page.keyboard.press('PageDown'),
    );
    samples.push({ ...recorded, alone });
  }
  return { title: 'a window down', samples, pause: 0 };
}

/** From the click to the first row in the new order, and from the key to its last device. */
async function measureSorting(bench: MeasuredConsole) {
  tell('console: sorting');
  const { page, record, callAlone } = bench;
  const sorting: Sample[] = [];
  const jumping: Sample[] = [];
  for (const [title, key] of SORTS) {
    for (const sort of [key, `-${key}`]) {
      await goTo(bench, 'Home');
      const { ms: alone, data } = await callAlone<ListedPage>(listCall({ sort }));
      const head = page.getByRole('columnheader', { name: title, exact: true }).getByRole('button');
      const sorted = await record({ kind: 'first', id: data.data[0]?.id ?? '' }, () => head.click());
      sorting.push({ ...sorted, alone });
      const last = Math.floor(((data.totalCount ?? 0) - 1) / PAGE_SIZE) * PAGE_SIZE;
      const { ms: lastAlone } = await callAlone(listCall({ sort, offset: last, count: false }));
      const jumped = await goTo(bench, 'End');
      jumping.push({ ...jumped, alone: lastAlone });
    }
  }
  return {
    sorting: { title: 'sorting', samples: sorting, pause: 0 },
    jumping: { title: 'to the last device', samples: jumping, pause: 0 },
  };
}

/** From the click to the device's page, and back to the list. */
async function measureOpening(bench: MeasuredConsole) {
  tell('console: opening devices');
  const { page, record, callAlone } = bench;
  await goTo(bench, 'Home');
  await page.goto('/devices');
  await page.getByRole('table', { name: 'Devices' }).getByRole('link').first().waitFor();
  const { data: list, ms: listAlone } = await callAlone<ListedPage>(listCall({}));
  const opening: Sample[] = [];
  const returning: Sample[] = [];
  for (const { id, hostname, displayName } of list.data.slice(0, OPENED)) {
    const { ms: alone } = await callAlone({ method: 'GET', path: `/devices/${id}` });
    const opened = await record({ kind: 'heading', text: displayName ?? hostname }, () =>
      page.locator(`[id="device-${id}"]`).click(),
    );
    opening.push({ ...opened, alone });
    const returned = await record({ kind: 'first', id: list.data[0]?.id ?? '' }, () =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Devices & Assets' }).click(),
    );
    returning.push({ ...returned, alone: listAlone });
  }
  return {
    opening: { title: 'opening a device', samples: opening, pause: 0 },
    returning: { title: 'back to the list', samples: returning, pause: 0 },
  };
}

async function goTo(bench: MeasuredConsole, key: 'Home' | 'End'): Promise<Recorded> {
  const { page, record } = bench;
  await page.locator('[data-scroll-restoration-id="devices"]').focus();
  const from = await scrolledTo(bench);
  if (key === 'Home' && from === 0) return { ms: 0, longTasks: [] };
  return record({ kind: 'rows', from }, () => page.keyboard.press(key));
}

/** In pixels. */
function scrolledTo({ page }: MeasuredConsole): Promise<number> {
  return page.locator('[data-scroll-restoration-id="devices"]').evaluate((list) => list.scrollTop);
}

function listCall(body: object) {
  return {
    method: 'POST',
    path: '/devices/query',
    body: { q: '', sort: 'hostname', limit: PAGE_SIZE, ...body },
  } as const;
}

/** In the console's English words. */
function countText(count: number | null): string {
  return `${(count ?? 0).toLocaleString('en')} ${count === 1 ? 'device' : 'devices'}`;
}
