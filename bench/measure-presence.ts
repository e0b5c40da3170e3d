/**
 * All devices as machines with stock agents, for three quarters of an hour in simulated minutes: contacts every quarter of an
 * hour, a report a day, machines that are switched off, a restart of the service, and the job that marks silence. In the end
 * every device has the status of its machine. Then contacts come in beside previews, as fast as they go.
 */
import { Pool } from 'pg';
import { seededRandom } from '#adapters/demo/seeded-random.ts';
import type { Backend } from '#application/backend.ts';
import { makeSilenceJob } from '#application/fleet/fleet-jobs.ts';
import type { OrgId } from '#domain/ids.ts';
import { silenceMinutes } from '#domain/inventory/presence.ts';
import type { FleetDatabase } from './fleet/fleet-database.ts';
import { FLEET_NOW, type FleetPlan, SCOPES } from './fleet/fleet-plan.ts';
import { PREVIEW_FILTERS } from './reads/preview-filters.ts';
import { tell } from './report/bench-progress.ts';
import { round, type Section } from './report/report.ts';
import { median } from './report/statistics.ts';
import { type Counters, readCounters, tally } from './report/update-counters.ts';

const CONNECTIONS = 8;
const MINUTE_MS = 60_000;
const MINUTES = 45;
/** From that minute on, every tenth machine is off. */
const OFF_AT = 5;
/** Without a service. Agents try again afterwards. */
const DOWN = { from: 20, to: 23 };
/** On average, because agents come up to a sixth earlier than they are told. */
const BETWEEN_CONTACTS = 14;
const REPORTS_A_DAY_MINUTES = 1_440;
/** PostgreSQL has counted everything before that. */
const COUNTED_AFTER_MS = 11_000;
const PREVIEWS = 60;

interface Machine {
  readonly orgId: OrgId;
  readonly inventoryId: string;
  readonly isOff: boolean;
  nextContact: number;
}

export async function measurePresence(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  tell(`presence of ${plan.size}`);
  const pool = new Pool({ connectionString: database.url, max: CONNECTIONS });
  const { backend } = database.service;
  try {
    const { counted, wrong, alone, beside, besideRate } = await database.whileDirty(async () => {
      const machines = await enrol(pool);
      try {
        const counted = await countContacts(pool, backend, machines);
        await live(backend, machines);
        const wrong = await countWrong(pool);
        return { counted, wrong, ...(await measureBeside(backend, machines)) };
      } finally {
        await restore(pool);
      }
    });
    const { contacts, seconds, updates } = counted;
    return {
      name: `Presence of ${plan.size} devices`,
      goals: [
        {
          name: `${plan.size}: rows that a contact writes`,
          value: updates.updates / contacts,
          target: null,
        },
        {
          name: `${plan.size}: contacts that change nothing indexed, %`,
          value: (1 - updates.indexed / updates.updates) * 100,
          target: 100,
        },
        {
          name: `${plan.size}: contacts alone, per second`,
          value: contacts / seconds,
          target: null,
        },
        {
          name: `${plan.size}: contacts beside previews, per second`,
          value: besideRate,
          // An agent for each device.
          target: Math.round(plan.devices / (BETWEEN_CONTACTS * 60)),
        },
      ],
      tables: [
        {
          title: `${plan.devices.toLocaleString('en')} agents, each once`,
          columns: ['contacts/s', 'needed/s', 'rows written each', 'HOT', 'to another page', 'indexed'],
          rows: [
            [
              round(contacts / seconds),
              round(plan.devices / (BETWEEN_CONTACTS * 60)),
              round(updates.updates / contacts),
              `${updates.hot.toLocaleString('en')} of ${updates.updates.toLocaleString('en')}`,
              updates.moved,
              updates.indexed,
            ],
          ],
        },
        {
          title: 'Previews beside contacts as fast as they go, medians in ms',
          columns: ['contacts/s', 'preview alone', 'preview beside'],
          rows: [[round(besideRate), round(alone), round(beside)]],
        },
      ],
      notes: [
        `By the store: one transaction and one durable commit for each contact, ${CONNECTIONS} connections.`,
        `After ${MINUTES} minutes with machines switched off and a restart, ${wrong} devices have a wrong status.`,
      ],
      faults: wrong === 0 ? [] : [`${wrong} devices have another status than their machines`],
    };
  } finally {
    await pool.end();
  }
}

/** Every device is online, and its agent has just reported. */
async function enrol(pool: Pool): Promise<readonly Machine[]> {
  await pool.query(`create table presence_before as
    select id, status, last_seen_at, last_seen_ip, last_seen_ip_lc, reports_since from device`);
  await pool.query(`insert into device_inventory_id (device_id, org_id, inventory_id)
    select id, org_id, 'agent of ' || id from device`);
  await pool.query(
    `update device set status = 'online', last_seen_at = $1, reports_since = $1, inventoried_at = $1, makes_contact = true`,
    [new Date(FLEET_NOW)],
  );
  await pool.query('vacuum (analyze) device, device_state, device_inventory_id');
  const random = seededRandom('presence');
  const { rows } = await pool.query<{ id: string; org_id: OrgId }>(
    'select id, org_id from device order by id',
  );
  return rows.map(({ id, org_id: orgId }, i) => ({
    orgId,
    inventoryId: `agent of ${id}`,
    isOff: i % 10 === 0,
    nextContact: random.integer(1, BETWEEN_CONTACTS),
  }));
}

async function countContacts(pool: Pool, backend: Backend, machines: readonly Machine[]) {
  const before = await settledCounters(pool);
  const startedAt = performance.now();
  await inParallel(machines, (machine) => makeContact(backend, machine, FLEET_NOW));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { contacts: machines.length, seconds, updates: tally(before, await settledCounters(pool)) };
}

async function settledCounters(pool: Pool): Promise<Counters> {
  await new Promise((resolve) => setTimeout(resolve, COUNTED_AFTER_MS));
  return readCounters(pool);
}

async function live(backend: Backend, machines: readonly Machine[]): Promise<void> {
  const random = seededRandom('minutes');
  const settings = { contactMinutes: 15, expirationHours: 24, offlineAfterMinutes: null };
  let now = FLEET_NOW;
  const job = makeSilenceJob({
    ...backend,
    silenceMinutes: silenceMinutes(settings),
    intervalMs: 5_000,
    clock: () => now,
  });
  const never = new AbortController().signal;
  for (let minute = 0; minute <= MINUTES; minute++) {
    if (minute >= DOWN.from && minute < DOWN.to) continue;
    now = FLEET_NOW + minute * MINUTE_MS;
    const on = machines.filter(({ isOff }) => !isOff || minute < OFF_AT);
    await inParallel(
      on.filter(({ nextContact }) => nextContact <= minute),
      async (machine) => {
        machine.nextContact = minute + random.integer(13, 15);
        await makeContact(backend, machine, now);
      },
    );
    await inParallel(
      on.filter((_, i) => i % REPORTS_A_DAY_MINUTES === minute),
      (machine) => report(backend, machine, now),
    );
    await job.run({ stopping: never, aborting: never });
  }
}

async function makeContact({ inventoryStore }: Backend, machine: Machine, now: number): Promise<void> {
  const { orgId, inventoryId } = machine;
  if ((await inventoryStore.contact({ orgId, inventoryId, now })) === null)
    throw new Error('an agent is not known');
}

/** A report that leaves out what has not changed, which is everything. */
async function report({ inventoryStore }: Backend, { orgId, inventoryId }: Machine, now: number) {
  const identity = { systemUuid: null, macAddresses: [] };
  const kind = 'partial' as const;
  const inventory = { kind, inventoryId, identity, takenAt: null, bootedAt: null, tag: null, fields: {} };
  const reading = { orgId, siteId: null, source: 'report', inventory, makesContact: true, now } as const;
  const stored = await inventoryStore.store(reading);
  if (!stored.ok) throw new Error(`a report was refused: ${stored.error}`);
}

async function countWrong(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ wrong: number }>(
    `select count(*)::int as wrong from (
       select status, (row_number() over (order by id) - 1) % 10 = 0 as is_off from device
     ) d where (d.status = 'offline') <> d.is_off or d.status not in ('online', 'offline')`,
  );
  return rows[0]?.wrong ?? 0;
}

async function measureBeside(backend: Backend, machines: readonly Machine[]) {
  const preview = async () => {
    const times: number[] = [];
    for (let n = 0; n < PREVIEWS; n++) {
      const { filter } = PREVIEW_FILTERS[n % PREVIEW_FILTERS.length] as (typeof PREVIEW_FILTERS)[number];
      const startedAt = performance.now();
      await backend.matcher.preview({ filter, scope: SCOPES.all, at: FLEET_NOW, onBehalfOf: 'bench' }, 10);
      times.push(performance.now() - startedAt);
    }
    return median(times);
  };
  await preview();
  const alone = await preview();
  let isOver = false;
  let contacts = 0;
  const startedAt = performance.now();
  const traffic = inParallel(machines, async (machine) => {
    if (isOver) return;
    await makeContact(backend, machine, FLEET_NOW + MINUTES * MINUTE_MS);
    contacts++;
  });
  const beside = await preview();
  const besideRate = contacts / ((performance.now() - startedAt) / 1_000);
  isOver = true;
  await traffic;
  return { alone, beside, besideRate };
}

async function restore(pool: Pool): Promise<void> {
  await pool.query(`update device d set status = b.status, last_seen_at = b.last_seen_at, last_seen_ip = b.last_seen_ip,
      last_seen_ip_lc = b.last_seen_ip_lc, reports_since = b.reports_since, inventoried_at = null, makes_contact = false
    from presence_before b where b.id = d.id`);
  await pool.query('drop table presence_before; truncate device_inventory_id, hearing');
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
