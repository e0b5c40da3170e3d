import { describe, expect, test } from 'vitest';
import { generateApiKey, generateEnrolmentKey } from '#adapters/auth/generate-key.ts';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { API_KEY_FORMAT } from '#domain/access/api-key.ts';
import { ENROLMENT_KEY_FORMAT } from '#domain/access/enrolment-key.ts';

describe.each([
  ['API key', generateApiKey, API_KEY_FORMAT],
  ['enrolment key', generateEnrolmentKey, ENROLMENT_KEY_FORMAT],
])('a generated %s', (_, generate, format) => {
  test('has the format that keys are recognized by', () => {
    for (let count = 0; count < 1_000; count += 1) expect(generate()).toMatch(format);
  });

  test('carries 32 bytes', () => {
    expect(Buffer.from(generate().slice('fsk_'.length), 'base64url').length).toBe(32);
  });

  test('is never made twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, generate)).size).toBe(1_000);
  });
});

test('the stored form is the SHA-256 of the whole key in hexadecimal', () => {
  expect(digestSecret(`fsk_${'A'.repeat(43)}`)).toBe(
    'da7ae51ccd42a6d91f901aac90433ba818c3cc935260a07d61171ced1c1ee573',
  );
});
