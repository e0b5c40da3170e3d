/** The API keys of the demo. */
import type { DemoSecrets } from '#adapters/demo/demo-secrets.ts';
import { stableId } from '#adapters/demo/stable-id.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { PARTNER_ADMINISTRATOR_EMAILS, TECHNICIAN_EMAIL } from './users.ts';

/** The key to try the service with first, then one narrowed to an organization, which expires in 90 days. */
export function demoApiKeys(now: EpochMs, secrets: DemoSecrets): readonly [ApiKeyRecord, ApiKeyRecord] {
  return [
    {
      kind: 'apiKey',
      id: stableId('api-key', 'first steps'),
      key: secrets.apiKey(),
      userId: stableId('user', PARTNER_ADMINISTRATOR_EMAILS['kestrel-lane']),
      name: 'First steps',
      orgId: null,
      permissions: [],
      expiresAt: null,
    },
    {
      kind: 'apiKey',
      id: stableId('api-key', 'nightly export'),
      key: secrets.apiKey(),
      userId: stableId('user', TECHNICIAN_EMAIL),
      name: 'Nightly export, Varhaug',
      orgId: stableId('organization', 'varhaug'),
      permissions: [],
      expiresAt: now + EXPIRES_AFTER_MS,
    },
  ];
}

const EXPIRES_AFTER_MS = 90 * DAY_MS;
