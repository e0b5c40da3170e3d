/** CPU time of processes, as Linux counts it. Other work on the machine barely adds to it. */
import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';

/** Linux reports hundredths of a second to programs. */
const TICKS_PER_SECOND = 100;

export interface MeasuredProcesses {
  readonly service: number;
  /** The postmaster, whose children are the backends. */
  readonly postgres: number;
}

/** Seconds since the start of the processes. */
export type CpuTime = Readonly<Record<keyof MeasuredProcesses, number>>;

/** Null without /proc, or if the database is on another machine. */
export async function findProcesses(service: number, databaseUrl: string): Promise<MeasuredProcesses | null> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = await readStat(rows[0]?.pid ?? 0);
    return backend?.name.startsWith('postgres') === true ? { service, postgres: backend.parent } : null;
  } finally {
    await client.end();
  }
}

export async function readCpuTime({ service, postgres }: MeasuredProcesses): Promise<CpuTime> {
  const stats = (await Promise.all((await readdir('/proc')).map((entry) => readStat(Number(entry))))).filter(
    (stat) => stat !== null,
  );
  const own = stats.find(({ pid }) => pid === service);
  const postmaster = stats.find(({ pid }) => pid === postgres);
  const backends = stats.filter(({ parent }) => parent === postgres);
  const ofBackends = backends.reduce((sum, { seconds }) => sum + seconds, 0);
  return {
    service: own?.seconds ?? 0,
    postgres: ofBackends + (postmaster?.seconds ?? 0) + (postmaster?.secondsOfEnded ?? 0),
  };
}

interface ProcessStat {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly seconds: number;
  /** Children that have ended. */
  readonly secondsOfEnded: number;
}

/** Null if the process does not exist. */
async function readStat(pid: number): Promise<ProcessStat | null> {
  if (!Number.isInteger(pid)) return null;
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  // The name in parentheses may contain parentheses.
  const parts = text === null ? null : /^\d+ \((.*)\) \S (.*)$/s.exec(text);
  if (parts === null) return null;
  const [, name = '', rest = ''] = parts;
  // After the state: ppid, eight others and three of page faults, then utime, stime, cutime and cstime.
  const numbers = rest.split(' ').map(Number);
  const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = numbers.slice(10, 14);
  return {
    pid,
    name,
    parent: numbers[0] ?? 0,
    seconds: (user + system) / TICKS_PER_SECOND,
    secondsOfEnded: (userOfEnded + systemOfEnded) / TICKS_PER_SECOND,
  };
}
