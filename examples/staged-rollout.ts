/**
 * Brings a fix for Chrome below 130 to everything but servers: to 5 % of the devices, then to 25 %, then to all. A deployment tool
 * follows the saved filter. The rollout stops by itself when more devices of the ring have critical alerts than before.
 */
import { setTimeout } from 'node:timers/promises';
import { createClient } from 'fleetsift/client';

const RINGS = [5, 25, 100];
/** How long each ring is watched before the next, and how often. */
const WATCH_MS = Number(process.env.WATCH_MS ?? 24 * 3_600_000);
const LOOK_MS = Number(process.env.LOOK_MS ?? 60_000);

const client = createClient({
  baseUrl: process.env.FLEETSIFT_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.FLEETSIFT_KEY ?? '',
});

// Servers are left out of the rollout, and their alerts do not stop it. A device without a role is no server.
const noServer = { field: 'deviceRole', operator: 'notEquals', value: 'server' } as const;
const outdated = { field: 'software[Google Chrome].version', operator: 'lessThan', value: '130' } as const;
const alerting = { field: 'alerts.critical', operator: 'equals', value: true } as const;

/** A larger ring contains the smaller ones, so nobody leaves when it grows. */
const ring = (percent: number, condition: typeof outdated | typeof alerting) => ({
  operator: 'AND' as const,
  conditions: [
    condition,
    noServer,
    { field: 'rollout.bucket', operator: 'lessThan', value: percent } as const,
  ],
});

async function count(conditions: ReturnType<typeof ring>): Promise<number> {
  const { data, error } = await client.POST('/api/v1/filters/preview', { body: { conditions } });
  if (error) throw new Error(error.detail);
  return data.data.totalCount;
}

async function saveFilter(): Promise<string> {
  const organizations = await client.GET('/api/v1/organizations');
  if (organizations.error) throw new Error(organizations.error.detail);
  const [organization] = organizations.data.data;
  if (organization === undefined) throw new Error('the key reaches no organization');
  const { data, error } = await client.POST('/api/v1/filters', {
    body: { name: 'Chrome 130', orgId: organization.id, conditions: ring(0, outdated) },
  });
  if (error) throw new Error(error.detail);
  return data.id;
}

async function open(id: string, percent: number): Promise<void> {
  const { error } = await client.PATCH('/api/v1/filters/{id}', {
    params: { path: { id } },
    body: { conditions: ring(percent, outdated) },
  });
  if (error) throw new Error(error.detail);
}

const filter = await saveFilter();
for (const percent of RINGS) {
  const before = await count(ring(percent, alerting));
  await open(filter, percent);
  console.log(`ring of ${percent} %: ${await count(ring(percent, outdated))} to update`);
  const end = Date.now() + WATCH_MS;
  do {
    await setTimeout(LOOK_MS);
    const now = await count(ring(percent, alerting));
    if (now <= before) continue;
    await open(filter, 0);
    console.log(`stopped: devices with critical alerts rose from ${before} to ${now}`);
    process.exit(1);
  } while (Date.now() < end);
}
console.log('done');
