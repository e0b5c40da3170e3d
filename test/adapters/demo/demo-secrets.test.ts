import { expect, test } from 'vitest';
import { randomDemoSecrets } from '#adapters/demo/demo-accounts.ts';

const SECRETS = randomDemoSecrets();
const MANY = Array.from({ length: 200 });

test.each([
  ['password', () => SECRETS.password('a title'), /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/],
  ['TOTP secret', () => SECRETS.totpSecret('a title'), /^[A-Z2-7]{32}$/],
  ['API key', () => SECRETS.apiKey(), /^fsk_[A-Za-z0-9_-]{43}$/],
])('every %s has its format and differs each time', (_name, draw, form) => {
  const drawn = MANY.map(draw);
  expect(drawn.filter((secret) => !form.test(secret))).toStrictEqual([]);
  expect(new Set(drawn).size).toBe(MANY.length);
});
