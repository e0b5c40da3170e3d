/** Standard Webhooks as receivers see them (Contract: §17). */
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { type AskOutbound, OutboundError, type OutboundRequest } from '#adapters/system/outbound.ts';
import { makeWebhookSender } from '#adapters/system/webhook-sender.ts';
import type { WebhookMessage } from '#application/ports/live/webhook-sender.ts';
import { newId } from '#test/support/builders.ts';

const SECRETS = ['whsec_plJ3nmyCDGBKInavdOK15jsl', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
const URL = 'https://hooks.example/devices';
const never = new AbortController().signal;

/** `standardwebhooks` refuses old timestamps. */
const at = Date.now();

const aMessage = (given: Partial<WebhookMessage> = {}): WebhookMessage => ({
  ...{ id: newId(), body: '{"name":"Ünïcode"}', url: URL, secrets: SECRETS, at },
  ...given,
});
const answering =
  (status: number): AskOutbound =>
  async () => ({ status, headers: new Headers(), body: new Uint8Array() });
const failing =
  (error: Error): AskOutbound =>
  async () => {
    throw error;
  };

test('a message is posted unchanged, signed with each secret', async () => {
  const asked: [string, OutboundRequest][] = [];
  const send = makeWebhookSender(async (...given) => {
    asked.push(given);
    return answering(204)(...given);
  });
  const message = aMessage();
  expect(await send(message, never)).toStrictEqual({
    ...{ at, httpStatus: 204, durationMs: expect.any(Number), error: null },
  });
  const [[url, { method, headers = {}, body, signal }]] = asked as [[string, OutboundRequest]];
  expect([asked.length, url, method, body, signal]).toStrictEqual([1, URL, 'POST', message.body, never]);
  expect(headers['webhook-id']).toBe(message.id);
  for (const secret of SECRETS) {
    expect(new Webhook(secret).verify(message.body, { ...headers })).toStrictEqual({ name: 'Ünïcode' });
  }
  expect(() => new Webhook('whsec_AAAA').verify(message.body, { ...headers })).toThrow('signature');
  expect(() => new Webhook(SECRETS[0] ?? '').verify('{}', { ...headers })).toThrow('signature');
});

test.each([
  [200, null],
  [299, null],
  [302, 'it answered 302'],
  [410, 'it answered 410'],
  [503, 'it answered 503'],
])('an answer of %i leaves the error %j', async (status, error) => {
  expect(await makeWebhookSender(answering(status))(aMessage(), never)).toMatchObject({
    ...{ httpStatus: status, error },
  });
});

test.each([
  [new OutboundError('it could not be reached'), 'it could not be reached'],
  [new TypeError('about a header'), 'it could not be asked'],
])('%s becomes the error %j', async (error, said) => {
  expect(await makeWebhookSender(failing(error))(aMessage(), never)).toMatchObject({
    ...{ httpStatus: null, error: said },
  });
});

test('an attempt that was aborted has no result', async () => {
  const aborting = new AbortController();
  aborting.abort();
  expect(await makeWebhookSender(failing(new Error('aborted')))(aMessage(), aborting.signal)).toBeNull();
});

test('nothing is sent unsigned', async () => {
  const send = makeWebhookSender(failing(new Error('it was asked')));
  expect(await send(aMessage({ secrets: [] }), never)).toMatchObject({
    error: 'it was not asked, because the secret is lost; renew it',
  });
});
