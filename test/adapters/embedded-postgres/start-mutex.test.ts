import { readdir, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openDataDir } from '#adapters/embedded-postgres/files/data-dir.ts';
import { withStartMutex } from '#adapters/embedded-postgres/locks/start-mutex.ts';
import { makeTemporaryDirectory } from './running-server.ts';

test('holding the start mutex writes nothing, so a service can stop its server on a full disk', async () => {
  const dataDir = await openDataDir(await makeTemporaryDirectory());
  const held = await withStartMutex(dataDir, new AbortController().signal, async () => ({
    files: await readdir(dataDir.path),
    size: (await stat(dataDir.lock)).size,
  }));
  expect(held).toStrictEqual({ files: ['postgres.lock'], size: 0 });
});
