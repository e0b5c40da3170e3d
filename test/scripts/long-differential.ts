/**
 * Runs the differential test for as long as you like: `npm run test:differential -- --runs 100000 --seed 1`. It uses
 * the server that TEST_DATABASE_URL names, or starts an embedded one. `--pairs` lists how often each operator was
 * tested on each field.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { runDifferential } from '#test/support/differential/differential-run.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    devices: { type: 'string', default: '400' },
    'runs-per-world': { type: 'string', default: '4000' },
    pairs: { type: 'boolean', default: false },
  },
});
const runs = wholeNumber('runs', values.runs);
const seed = wholeNumber('seed', values.seed);
const deviceCount = wholeNumber('devices', values.devices);
const runsPerWorld = wholeNumber('runs-per-world', values['runs-per-world']);

// The embedded server has to be stopped, so the first signal ends the run and the second one the process.
const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());

const server = await openServer();
try {
  process.stdout.write(`seed ${seed}, ${runs} filters\n`);
  const startedAt = performance.now();
  const tally = await runDifferential({
    adminUrl: server.url,
    seed,
    runs,
    runsPerWorld,
    deviceCount,
    signal: interruption.signal,
    onProgress: ({ filters, worlds }) => {
      const perSecond = Math.round((filters * 1000) / (performance.now() - startedAt));
      process.stdout.write(`\r${filters} filters, world ${worlds}, ${perSecond} per second `);
    },
  });
  process.stdout.write(`\n${tally}\n`);
  if (values.pairs) for (const [pair, hits] of tally.hits) process.stdout.write(`${hits}\t${pair}\n`);
} catch (error) {
  process.stdout.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await server.stop();
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (/^[0-9]+$/.test(text) && Number.isSafeInteger(number)) return number;
  process.stderr.write(`--${name} must be a whole number, not "${text}"\n`);
  process.exit(1);
}

async function openServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'fleetsift-differential-'));
  const embedded = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
