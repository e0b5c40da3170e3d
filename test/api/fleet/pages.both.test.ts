/** Pages of the lists of a fleet: all pages together give each entry once (Contract: §10). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NewOrg, startService, type TestService } from '#test/api/service/service.ts';
import { aDevice, anAlert, aScript, SOME_INSTANT } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const COUNT = 23;
const NUMBERS = Array.from({ length: COUNT }, (_, i) => i);
/** Three entries each share a name or an instant. */
const third = (i: number) => Math.floor(i / 3);

let service: TestService;
let org: NewOrg;

beforeAll(async () => {
  service = await startService();
  org = await service.inNewOrg((orgId) => [
    ...NUMBERS.map((i) => anAlert({ orgId, title: `Alert ${i}`, createdAt: SOME_INSTANT + third(i) })),
    ...NUMBERS.map((i) =>
      aScript({ owner: { kind: 'organization', orgId }, name: `${i % 2 ? 'Same' : 'SAME'} ${third(i)}` }),
    ),
    ...NUMBERS.map((i) =>
      aDevice({
        orgId,
        patches: [{ id: null, title: `KB 🖨 ${String(i).padStart(2, '0')}`, status: 'failed' }],
      }),
    ),
  ]);
});
afterAll(() => service.close());

interface PageBody {
  readonly data: readonly { readonly id?: string; readonly title?: string }[];
  readonly nextCursor: string | null;
}

async function walk(path: string, limit: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, body, text } = await org.ask('GET', `/api/v1/${path}?${query}`);
    if (status !== 200) throw new Error(text);
    const { data, nextCursor } = body as PageBody;
    expect(data.length).toBeLessThanOrEqual(limit);
    if (nextCursor !== null)
      expect([data.length, nextCursor]).toStrictEqual([limit, expect.stringMatching(/^[\w-]+$/)]);
    found.push(...data.map(({ id, title }) => id ?? title ?? ''));
    cursor = nextCursor;
  }
  return found;
}

test.each(['alerts', 'scripts', 'patches'])('pages of %s give each entry once', async (path) => {
  const whole = await walk(path, 200);
  expect(whole).toHaveLength(COUNT);
  expect(new Set(whole).size).toBe(COUNT);
  for (const limit of [1, 2, 5, COUNT - 1, COUNT]) expect(await walk(path, limit)).toStrictEqual(whole);
});

test('pages have fifty entries by default', async () => {
  const many = await service.inNewOrg((orgId) => Array.from({ length: 51 }, () => anAlert({ orgId })));
  const { data, nextCursor } = (await many.ask('GET', '/api/v1/alerts')).body as PageBody;
  expect(data).toHaveLength(50);
  expect(nextCursor).not.toBeNull();
});

test('a cursor of another user is refused', async () => {
  const answer = await org.ask('GET', '/api/v1/alerts?limit=1');
  const { nextCursor } = answer.body as PageBody;
  expect(nextCursor).not.toBeNull();
  const other = await service.as('system')('GET', `/api/v1/alerts?limit=1&cursor=${nextCursor}`);
  expect([other.status, other.body]).toMatchObject([400, { code: 'invalid_cursor' }]);
});

test('pages neither repeat nor skip an alert when others arrive in between', async () => {
  const { ask, orgId } = await service.inNewOrg((id) =>
    [0, 1, 2, 3].map((i) => anAlert({ orgId: id, title: `${i}`, createdAt: SOME_INSTANT - i })),
  );
  const first = (await ask('GET', '/api/v1/alerts?limit=2')).body as PageBody;
  await loadFleet(service.composition.backend, [
    anAlert({ orgId, title: 'new', createdAt: SOME_INSTANT + 1 }),
  ]);
  const second = (await ask('GET', `/api/v1/alerts?limit=2&cursor=${first.nextCursor}`)).body as PageBody;
  expect([...first.data, ...second.data].map(({ title }) => title)).toStrictEqual(['0', '1', '2', '3']);
  expect(second.nextCursor).toBeNull();
});
