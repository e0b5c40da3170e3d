/** Guards of subscriptions stop filter changes that move many devices, unless confirmed (Contract: §18). */
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
/** Matches a and b. Its guard lets at most one device enter or leave. */
let filter: { readonly id: string };
let guard: string;

const named = (...names: readonly string[]) => and(is('hostname', 'in', names));
const AB = named('a', 'b');

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
  await loadMachines('a', 'b', 'c', 'd');
  filter = filterOf(await createFilter(editors.as('A'), { conditions: AB }));
  guard = await subscribe({ devices: 1 });
});

const loadMachines = (...names: readonly string[]) =>
  loadFleet(
    service.composition.backend,
    names.map((hostname) => aDevice({ orgId: editors.a, hostname })),
  );
const ask = (name: EditorName, method: string, path: string, body?: unknown): Promise<Answer> =>
  editors.as(name)(method, path, body);

async function subscribe(limits: object | null): Promise<string> {
  const sent = { filterId: filter.id, name: 'Rollout', kind: 'feed', guard: limits };
  const { status, body } = await ask('A', 'POST', '/api/v1/subscriptions', sent);
  expect(status).toBe(201);
  return `/api/v1/subscriptions/${(body as { readonly id: string }).id}`;
}

const patch = (conditions: object, more: object = {}) =>
  ask('A', 'PATCH', urlOf(filter), { conditions, ...more });
const statusOf = async (answer: Promise<Answer>) => (await answer).status;
const conditionsNow = async () => filterOf(await ask('A', 'GET', urlOf(filter))).conditions;
/** The impact in the answer of a guard that stops a change. */
function impactOf(answer: Answer) {
  expect(refusalOf(answer).slice(0, 2)).toStrictEqual([409, 'confirmation_needed']);
  return (answer.body as { readonly impact: Readonly<Record<string, unknown>> }).impact;
}

describe('a change that moves more devices than a guard allows', () => {
  test('is stopped with its impact, and changes nothing', async () => {
    const impact = impactOf(await patch(named('a', 'c')));
    expect(impact).toMatchObject({
      ...{ version: 1, before: 2, after: 2, entering: 1, leaving: 1 },
      samples: { entering: [{ hostname: 'c' }], leaving: [{ hostname: 'b' }] },
      usedBy: [{ kind: 'subscription', name: 'Rollout' }],
    });
    expect(await conditionsNow()).toStrictEqual(AB);
    expect(await statusOf(patch(named('a')))).toBe(200);
  });

  test('is saved once its exact impact is confirmed', async () => {
    const { version, entering, leaving } = impactOf(await patch(named('c', 'd')));
    const confirm = { version, entering, leaving };
    for (const wrong of [{ version: 2 }, { entering: 3 }, { leaving: 1 }]) {
      impactOf(await patch(named('c', 'd'), { confirm: { ...confirm, ...wrong } }));
    }
    expect(await statusOf(patch(named('c', 'd'), { confirm }))).toBe(200);
    impactOf(await patch(AB, { confirm }));
  });

  test('is stopped again if its impact has changed since', async () => {
    const { version, entering, leaving } = impactOf(await patch(named('c', 'd', 'e')));
    await loadMachines('e');
    const confirm = { version, entering, leaving };
    expect(impactOf(await patch(named('c', 'd', 'e'), { confirm }))).toMatchObject({ entering: 3 });
  });

  test('is stopped if it restores an earlier version', async () => {
    expect(await statusOf(patch(named('a')))).toBe(200);
    expect(await statusOf(patch(named('a', 'c')))).toBe(200);
    const path = `${urlOf(filter)}/restore`;
    const { version, entering, leaving } = impactOf(await ask('A', 'POST', path, { version: 1 }));
    const confirm = { version, entering, leaving };
    expect(confirm).toStrictEqual({ version: 3, entering: 1, leaving: 1 });
    expect(await statusOf(ask('A', 'POST', path, { version: 1, confirm }))).toBe(200);
  });

  test('is stopped if it deletes the filter, even by force', async () => {
    expect(refusalOf(await ask('A', 'DELETE', urlOf(filter)))[1]).toBe('filter_in_use');
    const path = `${urlOf(filter)}?force=true`;
    const impact = impactOf(await ask('A', 'DELETE', path));
    expect(impact).toMatchObject({ before: 2, after: 0, entering: 0, leaving: 2 });
    const confirm = { version: 1, entering: 0, leaving: 2 };
    expect(await statusOf(ask('A', 'DELETE', path, { confirm }))).toBe(200);
    expect((await ask('A', 'GET', guard)).body).toMatchObject({ state: 'ended' });
  });
});

describe('a guard of a filter that indirectly names the changed one', () => {
  let inner: { readonly id: string };
  const naming = (...ids: readonly string[]) => and(is('filter', 'in', ids));
  const change = (conditions: object, more: object = {}) =>
    ask('A', 'PATCH', urlOf(inner), { conditions, ...more });

  beforeEach(async () => {
    inner = filterOf(await createFilter(editors.as('A'), { name: 'Inner', conditions: AB }));
    const middle = await createFilter(editors.as('A'), { name: 'Middle', conditions: naming(inner.id) });
    await patch(naming(filterOf(middle).id));
  });

  test('stops the change with the impact of the changed filter', async () => {
    const impact = impactOf(await change(named('c', 'd', 'a')));
    expect(impact).toMatchObject({ version: 1, before: 2, after: 3, entering: 2, leaving: 1 });
    expect(impact['usedBy']).toMatchObject([
      { kind: 'subscription', name: 'Rollout' },
      { kind: 'filter', name: 'Middle' },
      { kind: 'filter', name: 'Online' },
    ]);
    const confirm = { version: 1, entering: 2, leaving: 1 };
    expect(await statusOf(change(named('c', 'd', 'a'), { confirm }))).toBe(200);
  });

  test('counts the devices of the filter with the guard', async () => {
    await patch(and(is('hostname', 'in', ['a']), is('filter', 'equals', inner.id)));
    expect(await statusOf(change(named('a', 'b', 'c', 'd')))).toBe(200);
    expect(await statusOf(change(named('b', 'c', 'd')))).toBe(200);
  });

  test('allows a change that moves few devices, and stops one that names a further filter', async () => {
    const further = filterOf(
      await createFilter(editors.as('A'), { name: 'Further', conditions: named('c', 'd') }),
    );
    expect(await statusOf(change(named('a')))).toBe(200);
    impactOf(await change(naming(further.id)));
  });
});

test('a guard of a partner-wide filter counts the devices of all organizations', async () => {
  await loadFleet(service.composition.backend, [aDevice({ orgId: editors.b, hostname: 'a' })]);
  const wide = filterOf(
    await createFilter(editors.as('P'), { name: 'Wide', conditions: named('c'), partnerId: editors.p }),
  );
  const sent = { filterId: wide.id, name: 'Everywhere', kind: 'feed', guard: { devices: 2 } };
  expect(await statusOf(ask('P', 'POST', '/api/v1/subscriptions', sent))).toBe(201);
  const change = (conditions: object, more: object = {}) =>
    ask('P', 'PATCH', urlOf(wide), { conditions, ...more });
  const impact = impactOf(await change(named('a', 'c', 'd')));
  expect(impact).toMatchObject({ before: 1, after: 4, entering: 3, leaving: 0 });
  expect(impact['usedBy']).toMatchObject([{ kind: 'subscription', name: 'Everywhere' }]);
  expect(await statusOf(change(named('a', 'c')))).toBe(200);
  const confirm = { version: 2, entering: 0, leaving: 3 };
  expect(await statusOf(change(named('z'), { confirm }))).toBe(200);
});

test('two concurrent changes that are each allowed alone do not both pass', async () => {
  const statuses = await Promise.all([statusOf(patch(named('a'))), statusOf(patch(named('a', 'b', 'c')))]);
  expect(statuses.toSorted()).toStrictEqual([200, 409]);
});

test('a filter that is being put into the guarded one cannot change past the guard', async () => {
  const inner = filterOf(await createFilter(editors.as('A'), { name: 'Inner', conditions: AB }));
  const statuses = await Promise.all([
    statusOf(patch(and(is('filter', 'equals', inner.id)))),
    statusOf(ask('A', 'PATCH', urlOf(inner), { conditions: named('c', 'd') })),
  ]);
  expect(statuses.toSorted()).toStrictEqual([200, 409]);
});

test('a new name needs no confirmation', async () => {
  await ask('A', 'PATCH', guard, { guard: { devices: 0 } });
  expect(await statusOf(ask('A', 'PATCH', urlOf(filter), { name: 'Other', conditions: AB }))).toBe(200);
});

test.each([
  [{ percent: 50 }, named('a'), 200],
  [{ percent: 49.9 }, named('a'), 409],
  [{ percent: 0 }, AB, 200],
  [{ devices: 5, percent: 60 }, named('a', 'c'), 409],
  [null, named('d'), 200],
])('a guard of %j answers a change to %j with %i', async (limits, conditions, status) => {
  await ask('A', 'PATCH', guard, { guard: limits });
  expect(await statusOf(patch(conditions))).toBe(status);
});

test('a paused subscription guards as well, a deleted one does not', async () => {
  await ask('A', 'PATCH', guard, { state: 'paused' });
  impactOf(await patch(named('d')));
  await ask('A', 'DELETE', guard);
  expect(await statusOf(patch(named('d')))).toBe(200);
});

test.each([['yes'], [{ version: 1 }], [{ version: 1, entering: -1, leaving: 0 }], [[]]])(
  'the confirmation %j is refused',
  async (confirm) => {
    const answers = [
      await patch(AB, { confirm }),
      await ask('A', 'POST', `${urlOf(filter)}/restore`, { version: 1, confirm }),
      await ask('A', 'DELETE', `${urlOf(filter)}?force=true`, { confirm }),
    ];
    for (const answer of answers) {
      expect(problemOf(answer).errors?.map(({ path }) => path)).toStrictEqual(['confirm']);
    }
  },
);
