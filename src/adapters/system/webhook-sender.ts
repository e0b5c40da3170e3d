/** Standard Webhooks (Contract: §17). */
import { createHmac } from 'node:crypto';
import type { WebhookMessage, WebhookSender } from '#application/ports/live/webhook-sender.ts';
import { type AskOutbound, OutboundError } from './outbound.ts';

export function makeWebhookSender(ask: AskOutbound): WebhookSender {
  return async (message, aborting) => {
    const startedAt = performance.now();
    const ended = (httpStatus: number | null, error: string | null) => {
      const durationMs = Math.round(performance.now() - startedAt);
      return { at: message.at, httpStatus, durationMs, error };
    };
    if (message.secrets.length === 0)
      return ended(null, 'it was not asked, because the secret is lost; renew it');
    try {
      const { url, body } = message;
      const headers = headersOf(message);
      const { status } = await ask(url, { method: 'POST', headers, body, signal: aborting });
      return ended(status, status >= 200 && status < 300 ? null : `it answered ${status}`);
    } catch (error) {
      if (aborting.aborted) return null;
      return ended(null, error instanceof OutboundError ? error.message : 'it could not be asked');
    }
  };
}

function headersOf({ id, body, secrets, at }: WebhookMessage): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signed = `${id}.${timestamp}.${body}`;
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Fleetsift',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret, signed)}`).join(' '),
  };
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
