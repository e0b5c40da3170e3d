import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readLoadFile } from '#adapters/load/read-load-file.ts';
import { DEVICE, WHOLE_DEVICE } from './fleet.ts';
import { withFile } from './load-text.ts';

const RECORDS = 200_000;
const BATCH = 1_000;
const DEVICE_TEXT = JSON.stringify({
  ...DEVICE,
  hardware: WHOLE_DEVICE.hardware,
  custom: WHOLE_DEVICE.custom,
});

/** Collects first, because the heap holds any amount of garbage. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function* ndjson() {
  const lines = `{"kind":"device",${DEVICE_TEXT.slice(1)}\n`.repeat(BATCH);
  for (let i = 0; i < RECORDS; i += BATCH) yield lines;
}

function* document() {
  yield `{"devices":[\n${DEVICE_TEXT}`;
  yield `,\n${DEVICE_TEXT}`.repeat(BATCH - 1);
  const elements = `,\n${DEVICE_TEXT}`.repeat(BATCH);
  for (let i = BATCH; i < RECORDS; i += BATCH) yield elements;
  yield ']}';
}

test.each([
  ['NDJSON', ndjson],
  ['a document', document],
])('two hundred thousand devices of %s take no more memory than the first thousand', async (_, content) => {
  await withFile('', async (path) => {
    await pipeline(Readable.from(content()), createWriteStream(path));
    let count = 0;
    let before = 0;
    for await (const _record of readLoadFile(path)) {
      if (++count === BATCH) before = usedBytes();
    }
    expect(count).toBe(RECORDS);
    // The file has some 70 MB, and its objects would take several times as much. A part of the file is in memory, and as
    // much may wait to be read. Other work in this process accounts for some 20 MB.
    expect(usedBytes() - before).toBeLessThan(40 * 2 ** 20);
  });
});
