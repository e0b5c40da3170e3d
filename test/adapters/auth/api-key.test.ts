import { describe, expect, test } from 'vitest';
import { generateApiKey } from '#adapters/auth/api-key.ts';
import { digestSecret } from '#adapters/auth/digest-secret.ts';
import { API_KEY_FORMAT } from '#domain/access/api-key.ts';

describe('a generated API key', () => {
  test('has the format that keys are recognized by', () => {
    for (let count = 0; count < 1_000; count += 1) expect(generateApiKey()).toMatch(API_KEY_FORMAT);
  });

  test('carries 32 bytes', () => {
    expect(Buffer.from(generateApiKey().slice('fsk_'.length), 'base64url').length).toBe(32);
  });

  test('is never made twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, generateApiKey)).size).toBe(1_000);
  });
});

test('the stored form is the SHA-256 of the whole key in hexadecimal', () => {
  expect(digestSecret(`fsk_${'A'.repeat(43)}`)).toBe(
    'da7ae51ccd42a6d91f901aac90433ba818c3cc935260a07d61171ced1c1ee573',
  );
});
