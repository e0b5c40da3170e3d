/** The summary over HTTP, number by number (Contract: §10). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICE_ROLES, DEVICE_STATUSES, OS_TYPES } from '#domain/device/device.ts';
import { DAY_MS } from '#domain/time.ts';
import {
  type DeletionService,
  type MemberName,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { aDevice, anAlert, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});
afterAll(() => service.close());

async function summaryFor({ people }: Team, name: MemberName, query = ''): Promise<object> {
  const { status, body, text } = await service.by(people[name])('GET', `/api/v1/summary${query}`);
  if (status !== 200) throw new Error(text);
  return body as object;
}

const zeroes = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, 0]));
const NOTHING = {
  devices: {
    total: 0,
    byStatus: zeroes(DEVICE_STATUSES),
    byOsType: zeroes(OS_TYPES),
    byRole: zeroes(DEVICE_ROLES),
  },
  notSeen: { days7: 0, days30: 0 },
  neverSeen: 0,
  alerts: { critical: 0, high: 0 },
  patchesPending: 0,
  rebootRequired: 0,
};

test('the summary of an empty organization lists every value with a zero', async () => {
  const team = await service.newTeam();
  expect(await summaryFor(team, 'member')).toStrictEqual(NOTHING);
});

test('the summary has every number for an organization and for its partner', async () => {
  const team = await service.newTeam();
  const { a, b } = team;
  const now = service.now();
  const pending = () =>
    ['KB1', 'KB2'].map((title) => ({
      id: newId<'patch'>(),
      title,
      status: 'pending' as const,
    }));
  const seen = (days: number) => ({ lastSeenAt: now - days * DAY_MS });
  await loadFleet(service.composition.backend, [
    aDevice({ orgId: a, ...seen(0), osType: 'windows', deviceRole: 'server', patches: pending() }),
    aDevice({ orgId: a, ...seen(8), osType: 'windows', deviceRole: 'server', rebootRequired: true }),
    aDevice({ orgId: a, ...seen(31), osType: 'linux', status: 'offline' }),
    aDevice({ orgId: a, status: 'pending' }),
    ...[null, now - 31 * DAY_MS].map((lastSeenAt) =>
      aDevice({ orgId: a, lastSeenAt, status: 'decommissioned', patches: pending(), rebootRequired: true }),
    ),
    aDevice({ orgId: b, ...seen(1), osType: 'macos', deviceRole: 'workstation' }),
    anAlert({ orgId: a }),
    anAlert({ orgId: a, status: 'acknowledged' }),
    anAlert({ orgId: a, severity: 'high' }),
    anAlert({ orgId: a, severity: 'high' }),
    anAlert({ orgId: a, severity: 'medium' }),
    anAlert({ orgId: b, severity: 'high', status: 'resolved' }),
    anAlert({ orgId: b }),
  ]);
  const ofA = {
    devices: {
      total: 6,
      byStatus: { ...NOTHING.devices.byStatus, online: 2, offline: 1, pending: 1, decommissioned: 2 },
      byOsType: { windows: 2, macos: 0, linux: 1 },
      byRole: { ...NOTHING.devices.byRole, server: 2, unknown: 4 },
    },
    notSeen: { days7: 2, days30: 1 },
    neverSeen: 1,
    alerts: { critical: 1, high: 2 },
    patchesPending: 1,
    rebootRequired: 1,
  };
  expect(await summaryFor(team, 'member')).toStrictEqual(ofA);
  expect(await summaryFor(team, 'partner', `?orgId=${a}`)).toStrictEqual({
    ...ofA,
    deletionRequestsPending: 0,
  });
  expect(await summaryFor(team, 'partner')).toMatchObject({
    devices: { total: 7, byOsType: { windows: 2, macos: 1, linux: 1 } },
    notSeen: { days7: 2, days30: 1 },
    neverSeen: 1,
    alerts: { critical: 2, high: 2 },
  });
});

test('the summary counts pending deletion requests in reach, for holders of users:write only', async () => {
  const team = await service.newTeam();
  const { people, a, b } = team;
  await service.submit(people.member);
  const decided = await service.submit(await service.addMember(team));
  await service.decide(people.admin, decided.id, { action: 'approve' });
  await service.submit(await service.addMember(team, { membership: { scope: 'organization', orgId: b } }));
  expect(await summaryFor(team, 'member')).not.toHaveProperty('deletionRequestsPending');
  const pendingFor = async (name: MemberName, query?: string) =>
    (await summaryFor(team, name, query)) as { deletionRequestsPending: number };
  expect(await pendingFor('admin')).toMatchObject({ deletionRequestsPending: 1 });
  expect(await pendingFor('partner')).toMatchObject({ deletionRequestsPending: 2 });
  expect(await pendingFor('partner', `?orgId=${a}`)).toMatchObject({ deletionRequestsPending: 1 });
  expect(await pendingFor('partner in none')).toMatchObject({ deletionRequestsPending: 0 });
  expect(await pendingFor('other partner')).toMatchObject({ deletionRequestsPending: 0 });
});
