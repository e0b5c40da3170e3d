/**
 * Every place of the console with contents, for tests that visit all places. The table has to name every place, so a
 * new place that is missing does not compile.
 */
import type { Locator, Page } from 'playwright-core';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { ACCOUNT_DELETION_PATH, PLACES, type PlacePath } from '#adapters/web/places.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anAlert,
  anIdentityProvider,
  aScript,
  aSite,
  newId,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import type { ConsoleUnderTest, Person } from './console-under-test.ts';

/** Includes the account deletion page, which is not part of the console. */
export type EveryPath = PlacePath | typeof ACCOUNT_DELETION_PATH;

export const EVERY_PATH: readonly EveryPath[] = [...PLACES.map(({ path }) => path), ACCOUNT_DELETION_PATH];

export interface Visit {
  /** May have a state of the page in its query. */
  readonly address: string;
  /** Present once the page has loaded its contents. */
  readonly shows: (page: Page) => Locator;
}

export interface EveryPlace {
  readonly visits: Readonly<Record<EveryPath, Visit>>;
  /** Adds a person who may see and do everything, with a second factor. */
  addAdministrator(name?: string): Promise<Person>;
}

/** Fills the console under test. */
export async function fillPlaces(under: ConsoleUnderTest): Promise<EveryPlace> {
  const [orgId, otherOrgId] = under.orgIds as [OrgId, OrgId];
  const addAdministrator = (name = 'Mara Keller') =>
    under.addPerson({
      name,
      membership: { scope: 'system' },
      permissions: ADMINISTRATOR_PERMISSIONS,
      isPlatformAdmin: true,
      hasFactor: true,
    });
  const leaver = await under.addPerson({ name: 'Nils Fässler', hasFactor: true });
  const site = aSite({ orgId, name: 'Winterthur' });
  const device = aWholeDevice(orgId, site.id);
  const filter = aFilter({ orgId, createdBy: leaver.record.id, name: 'Full disks', conditions: NESTED });
  const alert = anAlert({
    orgId,
    deviceId: device.id,
    title: 'Disk almost full',
    createdAt: SOME_INSTANT,
  });
  await loadFleet(under.composition.backend, [
    site,
    aCustomField({ owner: { kind: 'organization', orgId }, key: 'rack', name: 'Rack' }),
    device,
    ...Array.from({ length: 30 }, (_, i) =>
      aDevice({ orgId: otherOrgId, hostname: `bor-ws-${i}`, osType: 'linux', status: 'offline' }),
    ),
    ...[1, 2].map(() => aDevice({ orgId, hostname: 'twice-there' })),
    alert,
    anAlert({ orgId: otherOrgId, title: 'Backup failed', severity: 'high', createdAt: SOME_INSTANT }),
    aScript({
      owner: { kind: 'organization', orgId },
      name: 'Clear the spooler',
      description: 'Stops it first.',
    }),
    filter,
  ]);
  const provider = anIdentityProvider({
    owner: { kind: 'organization', orgId },
    domains: [{ domain: 'winterthur.example', isVerified: false }],
  });
  await under.composition.backend.unitOfWork({ kind: 'system' }, (tx) =>
    tx.identityProviders.add(provider, 'secret'),
  );
  const requestId = await requestDeletion(under, leaver);
  const token = `fsl_${newId()}`;
  await under.composition.backend.unitOfWork({ kind: 'system' }, async (tx) => {
    const invited = { id: newId<'user'>(), email: `${newId()}@example.com`, name: 'Ida Blom' };
    const membership = { scope: 'organization', orgId } as const;
    const [at, tokenSha256] = [Date.now(), digestSecret(token)];
    await tx.links.invite({ ...invited, membership, permissions: [], isPlatformAdmin: false }, at);
    await tx.links.addLink({ purpose: 'invitation', userId: invited.id, tokenSha256, at });
  });

  const textIn = (role: 'table' | 'main', text: string) => (page: Page) =>
    page.getByRole(role).getByText(text).first();
  const status = (text: string | RegExp) => (page: Page) =>
    page.getByRole('main').getByRole('status').filter({ hasText: text }).first();
  return {
    addAdministrator,
    visits: {
      '/': { address: `/?org=${orgId}`, shows: (page) => page.getByRole('link', { name: '3 Devices' }) },
      '/organizations': {
        address: '/organizations?search=a&sort=-devices',
        shows: status('2 organizations'),
      },
      '/organizations/:id': {
        address: `/organizations/${orgId}`,
        shows: (page) => page.getByRole('table', { name: 'Sites' }).getByText('Winterthur'),
      },
      '/devices': {
        address: '/devices?q=os%3Alinux+-role%3Aprinter&sort=-hostname&columns=name%2Cstatus%2Ctags',
        shows: (page) => page.getByRole('link', { name: 'bor-ws-9', exact: true }),
      },
      '/devices/duplicates': { address: '/devices/duplicates', shows: textIn('main', 'hostname') },
      '/devices/:id': {
        address: `/devices/${device.id}?tab=software`,
        shows: (page) => page.getByRole('cell', { name: 'Firefox' }),
      },
      '/alerts': { address: '/alerts?severity=high', shows: textIn('table', 'Backup failed') },
      '/alerts/:id': { address: `/alerts/${alert.id}`, shows: textIn('main', 'Critical') },
      '/incidents': { address: '/incidents', shows: textIn('main', 'Incidents is not set up') },
      '/remote-access': {
        address: '/remote-access',
        shows: textIn('main', 'Remote Access is not set up'),
      },
      '/scripts': { address: '/scripts?search=spooler', shows: textIn('table', 'Clear the spooler') },
      '/patches': { address: '/patches?status=pending', shows: textIn('table', 'Firefox 145') },
      '/vulnerabilities': {
        address: '/vulnerabilities',
        shows: textIn('main', 'Vulnerabilities is not set up'),
      },
      '/filters': {
        address: '/filters?search=disks',
        shows: (page) => page.getByRole('cell', { name: '1', exact: true }),
      },
      '/filters/new': {
        address: '/filters/new?q=os%3Alinux&tab=text',
        shows: status('30 devices'),
      },
      '/filters/:id': {
        address: `/filters/${filter.id}`,
        shows: (page) => page.getByRole('table', { name: 'Matching devices' }).getByText('server'),
      },
      '/people': { address: '/people?search=ida', shows: textIn('table', 'Ida Blom') },
      '/admin/identity-providers': {
        address: '/admin/identity-providers',
        shows: textIn('main', 'fleetsift-verification'),
      },
      '/people/:id': {
        address: `/people/${leaver.record.id}`,
        shows: textIn('main', 'Reads everything of'),
      },
      '/admin/account-deletion-requests': {
        address: '/admin/account-deletion-requests?status=any',
        shows: textIn('table', 'Nils Fässler'),
      },
      '/admin/account-deletion-requests/:id': {
        address: `/admin/account-deletion-requests/${requestId}`,
        shows: textIn('main', 'I have left'),
      },
      '/admin/audit-log': {
        address: '/admin/audit-log?action=user.account_deletion.requested',
        shows: textIn('table', 'requested the deletion of their account'),
      },
      '/settings/profile': { address: '/settings/profile', shows: textIn('main', 'Mara Keller') },
      '/settings/security': { address: '/settings/security', shows: textIn('table', 'This session') },
      '/settings/api-keys': { address: '/settings/api-keys', shows: textIn('main', 'No API keys') },
      '/login': { address: '/login', shows: (page) => page.getByLabel('Email') },
      '/invitation': {
        address: `/invitation#${token}`,
        shows: (page) => page.getByLabel('New password'),
      },
      '/reset-password': {
        address: '/reset-password',
        shows: (page) => page.getByRole('button', { name: 'Send link' }),
      },
      [ACCOUNT_DELETION_PATH]: {
        address: ACCOUNT_DELETION_PATH,
        shows: (page) => page.getByRole('button', { name: 'Request deletion' }),
      },
    },
  };
}

/** Conditions of every shape that the builder draws. */
const NESTED = {
  operator: 'AND',
  conditions: [
    { field: 'metrics.diskPercent', operator: 'between', value: { from: 80, to: 100 } },
    {
      operator: 'OR',
      conditions: [
        { field: 'tags', operator: 'hasAny', value: ['vip', 'finance'] },
        { field: 'lastSeenAt', operator: 'notWithinLast', value: { amount: 30, unit: 'days' } },
        { field: 'deviceRole', operator: 'in', value: ['server', 'nas'] },
        { field: 'isHeadless', operator: 'isNull' },
      ],
    },
  ],
};

function aWholeDevice(orgId: OrgId, siteId: ReturnType<typeof aSite>['id']) {
  return aDevice({
    orgId,
    siteId,
    hostname: 'ANR-SRV-0001',
    displayName: 'Nils Fässler’s server',
    status: 'maintenance',
    osType: 'windows',
    osVersion: 'Windows Server 2025',
    architecture: 'x64',
    agentVersion: '4.2.0',
    enrolledAt: SOME_INSTANT,
    lastSeenAt: SOME_INSTANT,
    lastSeenIp: '192.0.2.7',
    tags: ['vip', 'finance'],
    deviceRole: 'server',
    lastUser: 'nfassler',
    uptimeSeconds: 90_000,
    watchdogStatus: 'connected',
    rebootRequired: true,
    hardware: {
      manufacturer: 'Dell',
      model: 'R760',
      serialNumber: 'S-1',
      cpuModel: 'Xeon',
      gpuModel: null,
      cpuCores: 32,
      ramTotalMb: 131_072,
      diskTotalGb: 4_000,
    },
    metrics: { cpuPercent: 12, ramPercent: 48, diskPercent: 91 },
    network: [{ ipAddress: '192.0.2.7', publicIp: null, macAddress: '00:00:5e:00:53:01' }],
    software: [{ name: 'Firefox', version: '145' }],
    custom: new Map([['rack', 'B 12']]),
    patches: [{ id: newId(), title: 'Firefox 145', status: 'pending' }],
  });
}

/** Requests the deletion of the person's account without the page; returns the id of the request. */
async function requestDeletion(under: ConsoleUnderTest, person: Person): Promise<string> {
  const page = await under.openPageAs(person);
  const { request } = page.context();
  const session = await request.post('/api/v1/auth/session/refresh');
  const { accessToken } = await session.json();
  const answer = await request.post('/api/v1/auth/account-deletion-request', {
    headers: { Authorization: `Bearer ${accessToken}` },
    data: { password: person.password, reason: 'I have left' },
  });
  await page.close();
  return (await answer.json()).id;
}
