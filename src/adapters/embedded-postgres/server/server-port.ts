import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type DataDir, readDataFile, writeDataFile } from '#adapters/embedded-postgres/files/data-dir.ts';

/**
 * Server ports are below the ports for outgoing connections (from 32,768 on Linux, 49,152 elsewhere), where a
 * reconnecting client could occupy the server's port.
 */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS = 50;

const RELEASE_PATIENCE_MS = 500;
const RELEASE_POLL_MS = 20;

/** Prefers the port of the last start, so known addresses stay valid. */
export async function choosePort(dataDir: DataDir): Promise<number> {
  const last = Number(await readDataFile(dataDir.port));
  if (Number.isInteger(last) && last >= LOWEST_PORT && last <= HIGHEST_PORT && (await becomesFree(last))) {
    return last;
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Error(`No free port for the database on 127.0.0.1 between ${LOWEST_PORT} and ${HIGHEST_PORT}`);
}

export async function rememberPort(dataDir: DataDir, port: number): Promise<void> {
  if (Number(await readDataFile(dataDir.port)) !== port) {
    await writeDataFile(dataDir, dataDir.port, `${port}\n`);
  }
}

/** A killed server frees its port a moment after its process is gone. */
async function becomesFree(port: number): Promise<boolean> {
  const giveUpAt = performance.now() + RELEASE_PATIENCE_MS;
  while (!(await isFree(port))) {
    if (performance.now() > giveUpAt) {
      return false;
    }
    await delay(RELEASE_POLL_MS);
  }
  return true;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
