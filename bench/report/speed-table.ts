/** Fills the README's table with figures of `bench/results.md`. */

interface SpeedRow {
  readonly says: string;
  /** Names in `bench/results.md`. A row with a figure that was never measured stays as it is. */
  readonly figures: readonly string[];
  readonly print: (...values: readonly number[]) => string;
}

const share = (value: number) => value.toFixed(2);
const times = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));

export const SPEED_ROWS: readonly SpeedRow[] = [
  {
    says: "heavy previews: share of the bare driver's speed (100k devices)",
    figures: ["100k: share of the bare driver's speed, heavy previews, geometric mean"],
    print: share,
  },
  {
    says: 'previews across all organizations, against a count and a page per organization in a loop (100k; geometric mean of ten filters; one table row per fact, in order of enrolment)',
    figures: ['100k: times faster than the loop, all organizations, geometric mean of ten'],
    print: (value) => `${times(value)} times`,
  },
  {
    says: 'the same loop on our own tables and indexes',
    figures: ['100k: times faster than the loop on our own tables, all organizations, geometric mean of ten'],
    print: (value) => `${times(value)} times`,
  },
  {
    says: 'selective previews over HTTP with API key, audit and log: share of a bare `select 1` handler (16, 64 connections, one key)',
    figures: [16, 64].map(
      (connections) => `100k: selective previews' share of the floor "select 1", ${connections} connections`,
    ),
    print: (...values) => values.map(share).join(', '),
  },
  {
    says: 'the same, against a handler that also has a line on disk (64 connections)',
    figures: [`100k: selective previews' share of the floor "select 1 and a line on disk", 64 connections`],
    print: share,
  },
  {
    says: 'first page of the list of devices by host name, against a preview of the same filter (100k, 1M; mean)',
    figures: ['100k', '1m'].map((size) => `${size}: preview/first page by hostname, mean`),
    print: (...values) => `${values.map(share).join(', ')} of its speed`,
  },
  {
    says: 'the same by a metric, which no index may have (100k, 1M; mean)',
    figures: ['100k', '1m'].map((size) => `${size}: preview/first page by -metrics.cpuPercent, mean`),
    print: (...values) => `${values.map(share).join(', ')} of its speed`,
  },
  {
    says: 'the same by a metric with `count=false` (100k, 1M; mean)',
    figures: ['100k', '1m'].map(
      (size) => `${size}: preview/first page by -metrics.cpuPercent with count=false, mean`,
    ),
    print: (...values) => `${values.map(share).join(', ')} of its speed`,
  },
  {
    says: 'explaining 20 conditions, against a preview of them (100k, 1M; worst)',
    figures: ['100k', '1m'].map(
      (size) => `${size}: share of a preview's speed, every device in reach, worst of 4`,
    ),
    print: (...values) => `${values.map((value) => times(1 / value)).join(', ')} times its time`,
  },
  {
    says: 'an export, against `COPY … TO STDOUT` of the same columns (100k, 1M; worst)',
    figures: ['100k', '1m'].map((size) => `${size}: share of COPY's speed, exports, worst of 6`),
    print: (...values) => `${values.map(share).join(', ')} of its speed`,
  },
  {
    says: 'which of 10,000 filters match a device, against evaluating each',
    figures: ['filters of a device: times faster than evaluating 10,000 of 200 organizations'],
    print: (value) => `${times(value)} times faster`,
  },
  {
    says: 'heartbeats that touch no index',
    figures: ['100k: heartbeats that change nothing indexed, %'],
    print: (value) => `${value} %`,
  },
  {
    says: 'contacts of agents: rows that one writes, and the share that touches no index (100k)',
    figures: ['100k: rows that a contact writes', '100k: contacts that change nothing indexed, %'],
    print: (rows, untouched) => `${rows}, ${untouched} %`,
  },
  {
    says: 'contacts of agents, one durable commit each, beside previews as fast as they go (100k)',
    figures: ['100k: contacts beside previews, per second'],
    print: (value) => `${Math.round(value)} a second`,
  },
  {
    says: 'in-process evaluation, against filtrex / sift',
    figures: ['filtrex 3.1.0', 'sift 17.1.4'].map(
      (peer) => `in process: times faster than ${peer}, geometric mean of six rules`,
    ),
    print: (...values) => `${values.map(times).join(' / ')} times`,
  },
  {
    says: 'slowest search at a million devices and half a million alerts',
    figures: ['1m: slowest search, per second'],
    print: (value) => `${(1_000 / value).toFixed(0)} ms`,
  },
  {
    says: 'a search that finds nothing, against unindexed ILIKE (1M, all organizations; worst)',
    figures: ['1m: times faster than ILIKE where nothing is found, all organizations, worst'],
    print: (value) => `${times(value)} times`,
  },
  {
    says: "a search that finds something, against ILIKE's first rows (1M; middle, worst)",
    figures: ['middle', 'worst'].map(
      (which) => `1m: times faster than ILIKE where something is found, ${which}`,
    ),
    print: (...values) => values.map((value) => `${share(value)} times`).join(', '),
  },
  {
    says: "console: from the last key in the filter to the new count, the pause of 350 ms before it asks included, against the API's call and the pause (100k, Chromium)",
    figures: ['100k: the API alone and the pause/typing to the new count'],
    print: (value) => `${share(1 / value)} times its time`,
  },
  {
    says: "memory of the service under an hour's load in five minutes: the second minute's, as a share of the last's (1M)",
    figures: ['1m: memory in the second minute of the load/in the last'],
    print: share,
  },
  {
    says: 'reports of machines, one transaction and one commit each, against the same upserts by bare SQL (10k, 1,000 a second)',
    figures: ['10k: reports, share of the speed of the same upserts by bare SQL'],
    print: (value) => `${share(value)} of its speed`,
  },
  {
    says: 'loading a file with software, alerts and patches: into an empty database, beside a running service',
    figures: ['into an empty database', 'beside a running service'].map(
      (where) => `100k: load ${where}, devices/s`,
    ),
    print: (...values) =>
      `${values.map((value) => Math.round(value).toLocaleString('en')).join(', ')} devices/s`,
  },
];

/** Throws if a row is missing. */
export function fillSpeedTable(readme: string, figures: ReadonlyMap<string, number>): string {
  let filled = readme;
  for (const { says, figures: names, print } of SPEED_ROWS) {
    const start = filled.indexOf(`| ${says} | `);
    if (start === -1) throw new Error(`the README's table of speeds has no row that says: ${says}`);
    const values = names.map((name) => figures.get(name));
    if (!values.every((value) => value !== undefined)) continue;
    const cell = start + `| ${says} | `.length;
    filled = `${filled.slice(0, cell)}${print(...values)}${filled.slice(filled.indexOf(' | ', cell))}`;
  }
  return filled;
}
