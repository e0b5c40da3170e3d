/** Our evaluator against filtrex and sift: the same rules on the same devices in memory. */
import { type Device, NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { drawDevice } from '../fleet/fleet-device.ts';
import { FLEET_NOW } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section } from '../report/report.ts';
import { geometricMean, median } from '../report/statistics.ts';
import { compileRules, type DeviceRule, type Rule } from './evaluator-rules.ts';

const DEVICE_COUNT = 100_000;

/** This many devices fit into the caches of a core, with all that rules read. */
const BLOCK_SIZE = 1_000;

/** The median of these passes counts. Earlier ones let the code be compiled. */
const PASSES = 11;
const WARM_UP_PASSES = 4;

const ENGINES = ['ours', 'filtrex', 'sift'] as const;
type Engine = (typeof ENGINES)[number];
type PerEngine<T> = Record<Engine, T>;

export async function measureEvaluators(): Promise<Section> {
  tell('in-process evaluators');
  const devices = drawDevices();
  const faults: string[] = [];
  const measured = compileRules().map((rule) => {
    const blocks = measureRule(rule, devices, BLOCK_SIZE);
    const whole = measureRule(rule, devices, DEVICE_COUNT);
    const { ours, filtrex, sift } = blocks.counts;
    if (filtrex !== ours || sift !== ours) {
      faults.push(`${rule.name}: we find ${ours} devices, filtrex ${filtrex}, sift ${sift}`);
    }
    return { name: rule.name, matches: ours, blocks: blocks.medians, whole: whole.medians };
  });
  const speedUp = (size: 'blocks' | 'whole', peer: Engine) =>
    geometricMean(measured.map((one) => one[size][peer] / one[size].ours));
  return {
    name: 'In-process evaluator',
    goals: [
      {
        name: 'in process: times faster than filtrex 3.1.0, geometric mean of six rules',
        value: speedUp('blocks', 'filtrex'),
        target: 2.5,
      },
      {
        name: 'in process: times faster than sift 17.1.4, geometric mean of six rules',
        value: speedUp('blocks', 'sift'),
        target: 6,
      },
      {
        name: 'the same against filtrex, devices fetched from main memory',
        value: speedUp('whole', 'filtrex'),
        target: null,
      },
      {
        name: 'the same against sift, devices fetched from main memory',
        value: speedUp('whole', 'sift'),
        target: null,
      },
    ],
    tables: (['blocks', 'whole'] as const).map((size) => ({
      title: `million devices per second, medians, ${size === 'blocks' ? 'a thousand devices at a time' : 'all devices in turn'}`,
      columns: ['rule', 'matches', ...ENGINES, 'ours/filtrex', 'ours/sift'],
      rows: measured.map((one) => {
        const ms = one[size];
        return [
          one.name,
          one.matches,
          ...ENGINES.map((engine) => round(DEVICE_COUNT / ms[engine] / 1_000)),
          round(ms.filtrex / ms.ours),
          round(ms.sift / ms.ours),
        ];
      }),
    })),
    notes: [
      `${DEVICE_COUNT.toLocaleString('en')} devices in memory, every value present. A thousand at a time stay in a core's`,
      'cache, which measures evaluation alone; all in turn measures fetching them from memory as well.',
    ],
    faults,
  };
}

/** All engines evaluate each block in turn, in rotating order. */
function measureRule(
  rule: Rule,
  devices: readonly Device[],
  blockSize: number,
): { readonly counts: PerEngine<number>; readonly medians: PerEngine<number> } {
  const passes: PerEngine<number>[] = [];
  let counts = zero();
  for (let pass = -WARM_UP_PASSES; pass < PASSES; pass++) {
    const times = zero();
    counts = zero();
    for (let from = 0, block = 0; from < devices.length; from += blockSize, block++) {
      const to = from + blockSize;
      // Fetching the devices must not count for the first engine.
      if (blockSize < devices.length) countMatches(devices, from, to, touch);
      for (let i = 0; i < ENGINES.length; i++) {
        const engine = ENGINES[(i + block + pass + WARM_UP_PASSES) % ENGINES.length] as Engine;
        const startedAt = performance.now();
        counts[engine] += countMatches(devices, from, to, rule[engine]);
        times[engine] += performance.now() - startedAt;
      }
    }
    if (pass >= 0) passes.push(times);
  }
  const medianOf = (engine: Engine) => median(passes.map((times) => times[engine]));
  return {
    counts,
    medians: { ours: medianOf('ours'), filtrex: medianOf('filtrex'), sift: medianOf('sift') },
  };
}

function countMatches(devices: readonly Device[], from: number, to: number, matches: DeviceRule): number {
  let count = 0;
  for (let i = from; i < to; i++) if (matches(devices[i] as Device)) count++;
  return count;
}

function touch({ status, osType, hostname, tags, lastSeenAt, metrics, pendingPatchCount }: Device): boolean {
  return (
    status.length + hostname.charCodeAt(0) + tags.length + (osType?.length ?? 0) > 0 &&
    (lastSeenAt ?? 0) + (metrics.cpuPercent ?? 0) + (metrics.diskPercent ?? 0) + pendingPatchCount > 0
  );
}

function zero(): PerEngine<number> {
  return { ours: 0, filtrex: 0, sift: 0 };
}

function drawDevices(): readonly Device[] {
  const plan = { size: '100k', devices: DEVICE_COUNT, titlesPerDevice: 0 } as const;
  const devices = Array.from({ length: DEVICE_COUNT }, (_, n) => reportEverything(drawDevice(plan, n), n));
  // Flat strings, allocated in order, as in a service that has just read them.
  const custom: Device['custom'] = new Map();
  return (JSON.parse(JSON.stringify(devices)) as readonly Device[]).map((device) => ({ ...device, custom }));
}

/** Fills in every value that rules read, because the peers disagree about missing ones. */
function reportEverything({ kind: _, ...device }: DeviceRecord, n: number): Device {
  const { metrics } = device;
  return {
    ...device,
    osType: device.osType ?? 'linux',
    lastSeenAt: device.lastSeenAt ?? FLEET_NOW,
    hardware: NO_HARDWARE,
    network: [],
    metrics: {
      cpuPercent: metrics.cpuPercent ?? n % 100,
      ramPercent: metrics.ramPercent ?? n % 90,
      diskPercent: metrics.diskPercent ?? n % 80,
    },
    pendingPatchCount: device.patches?.filter(({ status }) => status === 'pending').length ?? 0,
    criticalAlertCount: 0,
  };
}
