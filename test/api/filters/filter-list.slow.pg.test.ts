/** GET /filters for an organization with more than a string or a process can hold (issue 8, §1). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseOf, FILTERS, listOf, startService, type TestService } from '#test/api/service/service.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';

const MIB = 1_048_576;

/** Together, so many filters are longer than the longest string. */
const COUNT = 530;

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await startService();
  tenant = await createTenant(service.composition.backend);
  await databaseOf(service).owner.query(
    `insert into saved_filter (id, org_id, name, description, conditions, created_by, created_at, updated_at, version)
     select gen_random_uuid(), $1, 'Filter ' || n, null, '"' || repeat('x', $4) || '"', $2,
       now() + make_interval(secs => n), now(), 1
     from generate_series(1, $3::int) n`,
    [tenant.orgId, tenant.userId, COUNT, MIB - 2],
  );
}, 120_000);
afterAll(() => service.close());

test('a list that is longer than the longest string is answered with its total', async () => {
  const response = await service.composition.app.request(FILTERS, {
    headers: { Authorization: `Bearer ${await service.issueToken(tenant.userId)}` },
  });
  expect(response.status).toBe(200);
  let length = 0;
  let end = '';
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    end = (end + Buffer.from(chunk.subarray(-20)).toString()).slice(-20);
  }
  expect(length).toBeGreaterThan(COUNT * MIB);
  expect(end).toMatch(new RegExp(`\\],"total":${COUNT}\\}$`));
}, 120_000);

test('a search in such a list finds a few filters, each complete', async () => {
  const { data, total } = listOf(await service.asUser(tenant.userId)('GET', `${FILTERS}?search=filter%2052`));
  // The search finds 52 and 520 to 529, newest first.
  expect([total, data.length, data[0]?.name, data.at(-1)?.name]).toStrictEqual([
    11,
    11,
    'Filter 529',
    'Filter 52',
  ]);
  expect(data.every(({ conditions }) => conditions === 'x'.repeat(MIB - 2))).toBe(true);
}, 120_000);
