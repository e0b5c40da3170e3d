/** What a change of a saved filter would do, before it is saved (Contract: §18). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import {
  type Answer,
  filterOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aDevice } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { and, is } from './condition-service.ts';
import { createFilter, urlOf } from './saved-filters.ts';

let service: TestService;
let editors: Editors;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
});

const LINUX = and(is('osType', 'equals', 'linux'));

interface Named {
  readonly hostname: string;
}

interface Impact {
  readonly samples: { readonly entering: readonly Named[]; readonly leaving: readonly Named[] };
}

const ask = (name: EditorName, method: string, path: string, body?: unknown): Promise<Answer> =>
  editors.as(name)(method, path, body);
const impactOf = ({ body }: Answer) => (body as { readonly data: Impact }).data;
const names = (devices: readonly Named[]) => devices.map(({ hostname }) => hostname);

/** Loads into A twelve Linux devices, all but the first tagged, and one without OS; and one device into B. */
async function loadMachines(): Promise<void> {
  const { a, b } = editors;
  await loadFleet(service.composition.backend, [
    ...Array.from({ length: 12 }, (_, i) =>
      aDevice({
        ...{ orgId: a, hostname: `linux-${String(i + 1).padStart(2, '0')}`, osType: 'linux' },
        tags: i === 0 ? [] : ['vip'],
      }),
    ),
    aDevice({ orgId: a, hostname: 'Odd', osType: null, tags: ['vip'] }),
    aDevice({ orgId: b, hostname: 'elsewhere', osType: 'linux', tags: ['vip'] }),
  ]);
}

describe('the impact of other conditions', () => {
  beforeEach(loadMachines);

  test('counts the devices that would enter and leave, and shows the first of them', async () => {
    const filter = filterOf(await createFilter(editors.as('A'), { conditions: LINUX }));
    const answer = await ask('A', 'POST', `${urlOf(filter)}/impact`, { q: 'tags:vip -os:linux' });
    expect(answer.status).toBe(200);
    const impact = impactOf(answer);
    expect(impact).toMatchObject({
      ...{ version: 1, before: 12, after: 1, entering: 1, leaving: 12, usedBy: [] },
      evaluatedAt: expect.any(String),
    });
    expect(names(impact.samples.entering)).toStrictEqual(['Odd']);
    expect(names(impact.samples.leaving)).toStrictEqual(
      Array.from({ length: 10 }, (_, i) => `linux-${String(i + 1).padStart(2, '0')}`),
    );
    expect(impact.samples.entering[0]).toMatchObject({ orgId: editors.a, tags: ['vip'], osType: null });
    expect(filterOf(await ask('A', 'GET', urlOf(filter))).conditions).toStrictEqual(LINUX);
  });

  test('is empty for the conditions that the filter already has', async () => {
    const filter = filterOf(await createFilter(editors.as('A'), { conditions: LINUX }));
    const answer = await ask('A', 'POST', `${urlOf(filter)}/impact`, { conditions: LINUX });
    expect(impactOf(answer)).toMatchObject({
      ...{ before: 12, after: 12, entering: 0, leaving: 0 },
      samples: { entering: [], leaving: [] },
    });
  });

  test('names the subscriptions that have not ended', async () => {
    const filter = filterOf(await createFilter(editors.as('A'), { conditions: LINUX }));
    const sent = { filterId: filter.id, name: 'Deployment', kind: 'feed' };
    const subscribed = await ask('A', 'POST', '/api/v1/subscriptions', sent);
    expect(subscribed.status).toBe(201);
    const answer = await ask('A', 'POST', `${urlOf(filter)}/impact`, { conditions: LINUX });
    const { id } = subscribed.body as { readonly id: string };
    expect(impactOf(answer)).toMatchObject({ usedBy: [{ kind: 'subscription', id, name: 'Deployment' }] });
  });

  test('compares conditions on software', async () => {
    const filter = filterOf(
      await createFilter(editors.as('A'), { conditions: and(is('software.installed', 'equals', 'Zoom')) }),
    );
    const conditions = and(is('software.notInstalled', 'equals', 'Zoom'));
    const answer = await ask('A', 'POST', `${urlOf(filter)}/impact`, { conditions });
    expect(impactOf(answer)).toMatchObject({ before: 0, leaving: 0, entering: 13 });
  });

  test('covers the devices of a partner-wide filter that the caller reaches', async () => {
    const sent = { conditions: LINUX, partnerId: editors.p };
    const filter = filterOf(await createFilter(editors.as('P'), sent));
    const conditions = and(is('hostname', 'startsWith', 'linux-0'));
    const counts = async (name: EditorName) => {
      const answer = await ask(name, 'POST', `${urlOf(filter)}/impact`, { conditions });
      const { before, after, leaving } = impactOf(answer) as unknown as Record<string, number>;
      return [before, after, leaving];
    };
    expect(await counts('P')).toStrictEqual([13, 9, 4]);
    expect(await counts('P in A')).toStrictEqual([12, 9, 3]);
    expect(await counts('B')).toStrictEqual([1, 0, 1]);
  });
});

test('faulty conditions are refused as on other routes', async () => {
  const filter = filterOf(await createFilter(editors.as('A'), { conditions: LINUX }));
  const codes = async (body: object) =>
    problemOf(await ask('A', 'POST', `${urlOf(filter)}/impact`, body)).errors?.map(({ code }) => code);
  expect(await codes({ conditions: and(is('nothing', 'isNull')) })).toStrictEqual(['unknown_field']);
  expect(await codes({ q: 'os:', conditions: LINUX })).toStrictEqual(['value_not_allowed']);
  expect((await codes({}))?.length).toBe(1);
});

test('callers who do not reach the filter get 404', async () => {
  const filter = filterOf(await createFilter(editors.as('A'), { conditions: LINUX }));
  expect(refusalOf(await ask('B', 'POST', `${urlOf(filter)}/impact`, { conditions: LINUX }))[0]).toBe(404);
});
