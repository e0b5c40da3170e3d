/**
 * Loads a file into an empty database, as `fleetsift load` does: alone, and beside a running service. CPU time tells
 * the costs of the two processes apart.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { compose, readLoadFile } from '../../src/main.ts';
import { type FleetDatabase, SERVICE_CONFIG } from '../fleet/fleet-database.ts';
import type { FleetPlan } from '../fleet/fleet-plan.ts';
import { tell } from '../report/bench-progress.ts';
import { findProcesses, readCpuTime } from '../report/cpu-time.ts';
import { round, type Section } from '../report/report.ts';
import { writeFleetFile } from './fleet-file.ts';

/** 190 MB, with forty titles each. */
const MAX_DEVICES = 50_000;
const TITLES = 40;

const SAMPLED_EVERY_MS = 100;

export async function measureLoading(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  const devices = Math.min(MAX_DEVICES, plan.devices);
  tell(`loads of ${devices.toLocaleString('en')} devices`);
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-bench-'));
  try {
    const path = join(directory, 'fleet.ndjson');
    await writeFleetFile({ size: plan.size, devices, titlesPerDevice: TITLES }, path);
    const alone = await measureLoad(database.url, path, false);
    const beside = await measureLoad(database.url, path, true);
    const rate = ({ seconds }: Load) => devices / seconds;
    const row = (name: string, load: Load) => [
      name,
      round(rate(load)),
      ...(load.cpu === null ? ['', ''] : [round(load.cpu.service), round(load.cpu.postgres)]),
      round(load.peakMb),
    ];
    return {
      name: `Loads of ${devices.toLocaleString('en')} devices with ${TITLES} titles each`,
      goals: [
        { name: `${plan.size}: load into an empty database, devices/s`, value: rate(alone), target: 5_000 },
        {
          name: `${plan.size}: load beside a running service, devices/s`,
          value: rate(beside),
          target: 3_000,
        },
      ],
      tables: [
        {
          title: 'From an NDJSON file until it is committed and the statistics are refreshed',
          columns: [
            'load',
            'devices/s',
            'CPU s of the load',
            'CPU s of PostgreSQL',
            'peak MB of the process',
          ],
          rows: [row('alone, into an empty database', alone), row('beside a running service', beside)],
        },
      ],
      notes: [
        'Both processes share the cores with whatever else runs; their CPU time tells more than the clock.',
      ],
      faults: [],
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

interface Load {
  readonly seconds: number;
  readonly cpu: { readonly service: number; readonly postgres: number } | null;
  readonly peakMb: number;
}

async function measureLoad(serverUrl: string, path: string, isBeside: boolean): Promise<Load> {
  const admin = new Client({ connectionString: serverUrl });
  await admin.connect();
  const name = `fleetsift_bench_load_${process.pid}`;
  await admin.query(`create database ${escapeIdentifier(name)} encoding 'UTF8' template template0`);
  try {
    const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
    const service = await compose({ ...SERVICE_CONFIG, databaseUrl: url });
    const running = isBeside
      ? fork(join(import.meta.dirname, 'running-service-process.ts'), [url], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        })
      : null;
    try {
      if (running !== null) await once(running, 'message');
      const processes = await findProcesses(process.pid, url);
      const before = processes === null ? null : await readCpuTime(processes);
      let peak = 0;
      const sampling = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, SAMPLED_EVERY_MS);
      const startedAt = performance.now();
      const loaded = await service.backend.fleetWriter(readLoadFile(path));
      const seconds = (performance.now() - startedAt) / 1_000;
      clearInterval(sampling);
      if (!loaded.ok) throw new Error(`the fleet was refused: ${JSON.stringify(loaded.error[0])}`);
      const after = processes === null ? null : await readCpuTime(processes);
      const cpu =
        before === null || after === null
          ? null
          : { service: after.service - before.service, postgres: after.postgres - before.postgres };
      return { seconds, cpu, peakMb: peak / 2 ** 20 };
    } finally {
      if (running !== null) {
        running.disconnect();
        await once(running, 'exit');
      }
      await service.close();
    }
  } finally {
    await admin.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
    for (const role of ['app', 'reader'])
      await admin.query(`drop role if exists ${escapeIdentifier(`${name}_${role}`)}`);
    await admin.end();
  }
}
