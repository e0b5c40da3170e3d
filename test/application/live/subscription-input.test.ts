/** Which settings a subscription of each kind takes (Contract: §17). */
import { expect, test } from 'vitest';
import { parseSettings, type SettingsInput } from '#application/live/subscription-input.ts';
import type { SubscriptionKind } from '#domain/membership/subscription.ts';
import { newId } from '#test/support/builders.ts';

const URL = 'https://hooks.example/in?tenant=7';
const USER = newId<'user'>();
const NONE = { url: null, recipients: null, notify: null, batchSeconds: null, guard: null };

const parse = (kind: SubscriptionKind | null, input: SettingsInput, allowsPrivate = false) => {
  const parsed = parseSettings(input, null, { kind, allowsPrivate });
  return parsed.ok ? parsed.value : parsed.error.map(({ path }) => path);
};

test('a webhook has a URL', () => {
  expect(parse('webhook', { url: URL })).toStrictEqual({ ...NONE, url: URL });
  expect(parse('webhook', {})).toStrictEqual(['url']);
  expect(parse('webhook', { url: null })).toStrictEqual(['url']);
});

test.each([
  ['an http URL', 'http://hooks.example/in', true],
  ['an address of a private network', 'https://10.0.0.7/in', true],
  ['this machine in an unusual notation', 'https://0x7f.1/in', true],
  ['an IPv4 address within IPv6', 'https://[::ffff:127.0.0.1]/in', true],
  ['a URL with a password', 'https://me:secret@hooks.example/in', false],
  ['a URL of another protocol', 'ftp://hooks.example/in', false],
  ['a relative URL', '/in', false],
  ['a URL that is too long', `https://hooks.example/${'a'.repeat(2_000)}`, false],
  ['a number', 7, false],
])('a webhook is not sent to %s', (_, url, isPrivate) => {
  expect(parse('webhook', { url })).toStrictEqual(['url']);
  expect(parse('webhook', { url }, true)).toStrictEqual(isPrivate ? { ...NONE, url } : ['url']);
});

test('a mail has recipients, an occasion, and seconds between mails', () => {
  const given = { recipients: [USER, USER], notify: { above: 0 }, batchSeconds: 1 };
  expect(parse('mail', given)).toStrictEqual({ ...NONE, ...given, recipients: [USER] });
  const defaults = { ...NONE, recipients: [USER], notify: 'changes', batchSeconds: 900 };
  expect(parse('mail', { recipients: [USER] })).toStrictEqual(defaults);
  expect(parse('mail', {})).toStrictEqual(['recipients']);
});

test.each<SettingsInput>([
  { recipients: [] },
  { recipients: ['x'] },
  { recipients: Array.from({ length: 101 }, () => newId()) },
  { notify: null },
  { notify: 'often' },
  { notify: {} },
  { notify: { above: 1, below: 1 } },
  { notify: { above: -1 } },
  { notify: { above: 1, and: 2 } },
  { batchSeconds: 0 },
  { batchSeconds: 1.5 },
  { batchSeconds: 604_801 },
])('a mail subscription refuses %j', (given) => {
  expect(parse('mail', { recipients: [USER], ...given })).toStrictEqual(Object.keys(given));
});

test('settings of another kind are refused, unless they are null', () => {
  expect(parse('mail', { recipients: [USER], url: URL })).toStrictEqual(['url']);
  const foreign = { url: URL, recipients: [USER], notify: 'changes', batchSeconds: 1 };
  expect(parse('webhook', foreign)).toStrictEqual(['recipients', 'notify', 'batchSeconds']);
  expect(parse('webhook', { ...NONE, url: URL })).toStrictEqual({ ...NONE, url: URL });
});

test('the settings of an unknown kind are checked nevertheless', () => {
  expect(parse(null, { url: '/in', recipients: [USER], guard: { percent: -1 } })).toStrictEqual([
    'url',
    'guard',
  ]);
});

test('a change keeps the settings that it does not send', () => {
  const current = { ...NONE, url: URL, guard: { devices: 5 } };
  const change = (input: SettingsInput) =>
    parseSettings(input, current, { kind: 'webhook', allowsPrivate: false });
  expect(change({})).toStrictEqual({ ok: true, value: current });
  expect(change({ guard: null })).toStrictEqual({ ok: true, value: { ...current, guard: null } });
  expect(change({ url: null }).ok).toBe(false);
});
