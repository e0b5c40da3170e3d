/**
 * Every kind of caller sends each request that is drawn from the OpenAPI document, with hostile values.
 * No answer is a 5xx, and every answer matches the document. `npm run test:requests` draws 20,000.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addReporter, basic, startAgentService } from '#test/api/inventory/agents.ts';
import type { TestService } from '#test/api/service/service.ts';
import { KEY_NAMES, USER_NAMES } from '#test/api/service/tenants.ts';
import { anApiKey, aUser } from '#test/support/builders.ts';
import { type DrawnRequest, randomRequests } from '#test/support/random/random-requests.ts';
import { loadFleet } from '#test/support/tenant.ts';

const DRAWN = Number(process.env.DRAWN_REQUESTS ?? 60);

const SEED = Number(process.env.SEED ?? 1);

/** Drawn requests may delete what later ones look for, so the fleet is loaded anew after so many. */
const RELOAD_AFTER = 200;

let service: TestService;
let callers: ReadonlyMap<string, () => Promise<Readonly<Record<string, string>>>>;
let restore: () => Promise<void>;
let requests: fc.Arbitrary<DrawnRequest>;

beforeAll(async () => {
  service = await startAgentService();
  const { tenants, credentialOf, composition, issueToken } = service;
  const reporter = await addReporter(service, { orgId: tenants.orgIds.A });
  const administrator = aUser({
    permissions: ['users:write', 'devices:write'],
    isPlatformAdmin: true,
    membership: { scope: 'system' },
  });
  const strongKey = anApiKey({ userId: administrator.id, permissions: ['users:write', 'devices:write'] });
  const people = [administrator, strongKey];
  await loadFleet(composition.backend, people);
  // Loading people again would end their sessions and would not restore revoked keys.
  const others = tenants.records.filter(({ kind }) => kind !== 'user' && kind !== 'apiKey');
  restore = () => loadFleet(composition.backend, others);
  const names = ['none', ...USER_NAMES, ...KEY_NAMES] as const;
  callers = new Map([
    ...names.map((name) => [name, () => credentialOf(name)] as const),
    ['administrator', async () => ({ Authorization: `Bearer ${await issueToken(administrator.id)}` })],
    ['key of the administrator', async () => ({ 'X-API-Key': strongKey.key })],
    ['enrolment key', async () => ({ Authorization: basic(reporter.key) })],
    ['forged', async () => ({ Authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })],
    [
      'two credentials',
      async () => ({ ...(await credentialOf('key-A')), ...(await credentialOf('A-user')) }),
    ],
  ]);
  requests = randomRequests({
    ids: tenants.records.map(({ id }) => id),
    emails: tenants.records.flatMap((record) => ('email' in record ? [record.email] : [])),
    customFields: ['of_a', 'of_b', 'of_p', 'of_q'],
  });
});

afterAll(() => service.close());

test(`${DRAWN} requests, once with every kind of caller, get no 5xx`, {
  timeout: 120_000 + DRAWN * 4_000,
}, async () => {
  const faults: string[] = [];
  const statuses = new Map<string, number>();
  let asked = 0;
  for (const [i, request] of fc.sample(requests, { seed: SEED, numRuns: DRAWN }).entries()) {
    if (i % RELOAD_AFTER === RELOAD_AFTER - 1) await restore();
    for (const [caller, credentialOf] of callers) {
      asked += 1;
      const outcome = await ask(request, await credentialOf(), asked);
      if (typeof outcome === 'number')
        statuses.set(`${caller} ${outcome}`, (statuses.get(`${caller} ${outcome}`) ?? 0) + 1);
      if (typeof outcome === 'string' || outcome >= 500) {
        const { method, path, headers, body } = request;
        const sent = [
          method,
          path.slice(0, 300),
          JSON.stringify(headers).slice(0, 300),
          String(body).slice(0, 600),
        ];
        faults.push(`draw ${i} of seed ${SEED}, as ${caller}: ${outcome} to ${sent.join(' ')}`);
      }
    }
  }
  expect(faults).toStrictEqual([]);
  // Enough requests pass all checks.
  expect(statuses.get('administrator 200')).toBeGreaterThan(DRAWN / 10);
  expect(statuses.get('A-user 200')).toBeGreaterThan(DRAWN / 20);
  if (process.env.DRAWN_REQUESTS !== undefined) console.log(asked, [...statuses].sort().join('  '));
});

/** The status, or what is wrong with the answer. */
async function ask(
  { method, path, headers, body }: DrawnRequest,
  credentials: Readonly<Record<string, string>>,
  number: number,
): Promise<number | string> {
  // Sign-ins are limited per network, so each request has another address.
  const remoteAddress = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const bindings = { incoming: { socket: { remoteAddress } } };
  try {
    const init = { method, headers: { ...headers, ...credentials }, ...(body !== null && { body }) };
    const answer = await service.composition.app.request(path, init, bindings);
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
