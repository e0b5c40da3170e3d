import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';
import { Client } from 'pg';

export interface MachineFacts {
  readonly [fact: string]: string | number;
}

export function machineFacts(): MachineFacts {
  return {
    platform: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    // More than the number of cores means that something else was running.
    loadAverage: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}

const SETTINGS = [
  'shared_buffers',
  'effective_cache_size',
  'random_page_cost',
  'work_mem',
  'max_wal_size',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'jit',
];

export async function serverFacts(url: string): Promise<MachineFacts> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, current_setting(name) as setting from unnest($1::text[]) as name`,
      [['server_version', ...SETTINGS]],
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  } finally {
    await client.end();
  }
}
