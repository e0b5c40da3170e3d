import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { rolloutBucket } from '#domain/filter/values/rollout-bucket.ts';

test('a bucket is the first four bytes of the SHA-256 of the id, modulo 100', () => {
  const ids = ['', 'a', 'x'.repeat(55), ...Array.from({ length: 2_000 }, () => randomUUID())];
  for (const id of ids) {
    const bucket = createHash('sha256').update(id).digest().readUInt32BE(0) % 100;
    expect(rolloutBucket(id)).toBe(bucket);
    expect(rolloutBucket(id.toUpperCase())).toBe(rolloutBucket(id.toLowerCase()));
  }
});
