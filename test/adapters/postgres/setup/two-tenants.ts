/** Two partners with rows in every table, for tests that try to reach one from the other. */
import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ceilingOf } from '#domain/access/identity-provider.ts';
import type { FleetRecord, OrganizationRecord, Owner, PartnerRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import {
  aCustomField,
  aDelivery,
  aDevice,
  aFilter,
  anAlert,
  anApiKey,
  anAuditEntry,
  anIdentityProvider,
  anInventory,
  anOrganization,
  aPartner,
  aPasskey,
  aRateKey,
  aSavedFilter,
  aScript,
  aSession,
  aSite,
  aSubscription,
  aUser,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import type { PostgresWorld } from '#test/support/database/postgres-world.ts';
import { aPendingRequest } from '#test/support/deletions.ts';
import { importInventory } from '#test/support/inventories.ts';
import { aMail, aMailRecipient } from '#test/support/mail/mails.ts';
import { loadFleet } from '#test/support/tenant.ts';

/** Partner P has the organizations A and B, partner Q has C. */
export interface TwoTenants {
  readonly p: PartnerId;
  readonly q: PartnerId;
  readonly a: OrgId;
  readonly b: OrgId;
  readonly c: OrgId;
  /** The scopes that tests use, by name. */
  readonly scopes: Readonly<Record<ScopeName, AccessScope>>;
}

export const SCOPE_NAMES = [
  'organization A',
  'partner P',
  'partner P, but for B',
  'partner P, but for all',
  'system',
] as const;
export type ScopeName = (typeof SCOPE_NAMES)[number];

export async function loadTwoTenants({ backend }: Pick<PostgresWorld, 'backend'>): Promise<TwoTenants> {
  const [p, q] = [aPartner({ name: 'P' }), aPartner({ name: 'Q' })];
  const a = anOrganization({ partnerId: p.id, name: 'A' });
  const b = anOrganization({ partnerId: p.id, name: 'B' });
  const c = anOrganization({ partnerId: q.id, name: 'C' });
  const reader = aUser({ membership: { scope: 'organization', orgId: c.id } });
  await loadFleet(backend, [
    ...[p, q].flatMap((partner) => partnersOwn(partner.id, partner === p ? a.id : c.id)),
    ...[p, q, a, b, c],
    ...[a, b, c].flatMap(({ id }) => organizationsOwn(id)),
    reader,
  ]);
  const ofPartner = aSavedFilter({ orgId: null, partnerId: p.id, createdBy: reader.id });
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(ofPartner));
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
    tx.subscriptions.add(aSubscription({ orgId: null, partnerId: p.id, filterId: ofPartner.id })),
  );
  await backend.memberships.evaluate(p.id, async (evaluation) => {
    evaluation.setInstant(SOME_INSTANT);
    const id = newId<'device'>();
    evaluation.begin(ofPartner, [id], 'v1');
    evaluation.append(ofPartner, { type: 'degraded' });
    evaluation.setTimer(ofPartner, id, SOME_INSTANT);
  });
  for (const { id: orgId, partnerId } of [a, b, c]) {
    const imported = await importInventory(backend, orgId, anInventory(), SOME_INSTANT);
    if (!imported.ok) throw new Error('the inventory was refused');
    const { deviceId } = imported.value;
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.bulkChanges.remember({
        ...{ id: newId(), by: { type: 'system', id: null }, expiresAt: SOME_INSTANT, orgIds: [orgId] },
        devices: [{ deviceId, orgId, before: { tags: [] }, after: { tags: ['new'] } }],
      }),
    );
    const filter = aSavedFilter({ orgId, createdBy: reader.id });
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
    const subscription = aSubscription({ orgId, filterId: filter.id });
    await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      await tx.subscriptions.add(subscription);
      await tx.webhooks.add(aDelivery({ subscriptionId: subscription.id }));
    });
    await backend.memberships.evaluate(partnerId, async (evaluation) => {
      evaluation.setInstant(SOME_INSTANT);
      evaluation.begin(filter, [deviceId], 'v1');
      evaluation.append(filter, { type: 'degraded' });
      evaluation.setTimer(filter, deviceId, SOME_INSTANT);
    });
    for await (const filter of backend.filters.list(orgScope(orgId))) {
      if (filter.orgId === null) continue;
      await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.filters.findForUpdate(filter.id);
        await tx.filters.replace({ ...filter, version: 2 });
      });
    }
    const key = { id: newId<'enrolment-key'>(), orgId, siteId: null, name: 'Laptops' };
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.enrolmentKeys.add({ ...key, keySha256: key.id, expiresAt: null, createdAt: SOME_INSTANT }),
    );
    await backend.auditLog(anAuditEntry({ orgId, partnerId: null }));
    await backend.auditLog(anAuditEntry({ orgId, partnerId }));
  }
  const owners: readonly Owner[] = [
    ...[p, q].map(({ id: partnerId }) => ({ kind: 'partner', partnerId }) as const),
    ...[a, b, c].map(({ id: orgId }) => ({ kind: 'organization', orgId }) as const),
  ];
  await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    for (const owner of owners) await addIdentityProvider(tx, owner);
  });
  for (const partnerId of [p.id, q.id, null]) await backend.auditLog(anAuditEntry({ partnerId }));
  await backend.signingKeys.add({ kid: newId(), privateJwk: { d: 'secret' }, createdAt: SOME_INSTANT }, 0);
  await backend.unitOfWork(orgScope(c.id), (tx) =>
    tx.mail(aMail({ to: aMailRecipient({ userId: reader.id }) })),
  );
  await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const link = { purpose: 'password-reset', tokenSha256: newId(), at: SOME_INSTANT } as const;
    await tx.links.addLink({ ...link, userId: reader.id });
    await tx.links.requestReset(reader.email, SOME_INSTANT);
  });
  await askForDeletions(backend, [p, q], [a, b, c]);
  await signIn(backend, reader.id);
  return {
    ...{ p: p.id, q: q.id, a: a.id, b: b.id, c: c.id },
    scopes: {
      'organization A': orgScope(a.id),
      'partner P': partnerScope(p.id, [a.id, b.id]),
      'partner P, but for B': { kind: 'partner', partnerId: p.id, orgIds: [a.id], isWhole: false },
      'partner P, but for all': { kind: 'partner', partnerId: p.id, orgIds: [], isWhole: false },
      system: SYSTEM_SCOPE,
    },
  };
}

/** One request in each organization, of each partner's staff, and of the system's. */
async function askForDeletions(
  backend: PostgresWorld['backend'],
  partners: readonly PartnerRecord[],
  organizations: readonly OrganizationRecord[],
): Promise<void> {
  const people = [
    ...organizations.map(({ id: orgId }) => ({
      orgId,
      membership: { scope: 'organization', orgId } as const,
    })),
    ...partners.map(({ id: partnerId }) => ({
      partnerId,
      membership: { scope: 'partner', partnerId, orgIds: null } as const,
    })),
    { membership: { scope: 'system' } as const },
  ].map(({ membership, ...attribution }) => ({ user: aUser({ membership }), attribution }));
  await loadFleet(
    backend,
    people.map(({ user }) => user),
  );
  await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    for (const { user, attribution } of people) {
      await tx.deletions.add(aPendingRequest({ userId: user.id, ...attribution }));
    }
  });
}

/** A session, an open enrollment, recovery codes and a counted attempt. */
async function signIn({ unitOfWork, rateLimiter }: PostgresWorld['backend'], userId: UserId): Promise<void> {
  await unitOfWork(SYSTEM_SCOPE, async (tx) => {
    await tx.sessions.add(aSession({ userId }), 'token');
    await tx.ownNetworks.remember(userId, '192.0.2.0/24', SOME_INSTANT, SOME_INSTANT);
    await tx.mfa.completeEnrollment(userId, { secret: 'A', step: 1, recoveryCodeSha256s: ['code'] });
    await tx.passkeys.add(aPasskey({ userId }));
    await tx.mfa.startEnrollment(userId, { secret: 'B', startedAt: SOME_INSTANT });
  });
  await rateLimiter.consume(aRateKey({ name: 'rule', points: 1, windowSeconds: 60 }, 'key'));
}

/** With a domain, and somebody whom it made. */
async function addIdentityProvider({ identityProviders }: Transaction, owner: Owner): Promise<void> {
  const domains = [{ domain: `${newId()}.example`, isVerified: true }];
  const provider = anIdentityProvider({ owner, domains });
  await identityProviders.add(provider, 'secret');
  const id = newId<'user'>();
  const person = { id, email: `${id}@kestrel.example`, name: 'Mei', permissions: [], isPlatformAdmin: false };
  const identity = { subject: id, userId: id, isMade: true, createdAt: SOME_INSTANT, lastSignInAt: null };
  await identityProviders.makePerson(
    { ...person, membership: ceilingOf(owner) },
    { ...identity, providerId: provider.id },
  );
}

function partnersOwn(partnerId: PartnerId, orgId: OrgId): readonly FleetRecord[] {
  const owner = { kind: 'partner', partnerId } as const;
  const staff = aUser({ membership: { scope: 'partner', partnerId, orgIds: null } });
  return [
    staff,
    anApiKey({ userId: staff.id }),
    aUser({ membership: { scope: 'partner', partnerId, orgIds: [orgId] } }),
    aCustomField({ owner, key: 'shared' }),
    aScript({ owner }),
  ];
}

function organizationsOwn(orgId: OrgId): readonly FleetRecord[] {
  const owner = { kind: 'organization', orgId } as const;
  const user = aUser({ membership: { scope: 'organization', orgId } });
  const site = aSite({ orgId });
  const device = aDevice({
    orgId,
    siteId: site.id,
    knownKeys: [{ kind: 'serial', key: 'former' }],
    hardware: {
      manufacturer: 'Dell',
      model: null,
      serialNumber: createHash('sha1').update(randomBytes(8)).digest('hex'),
      cpuModel: null,
      gpuModel: null,
      cpuCores: 4,
      ramTotalMb: null,
      diskTotalGb: null,
    },
    network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }],
    volumes: [{ name: '/', filesystem: null, totalGb: null, freeGb: null }],
    software: [{ name: `Tool of ${orgId}`, version: '1.2' }],
    patches: [{ id: newId(), title: 'KB1', status: 'pending' }],
  });
  return [
    user,
    anApiKey({ userId: user.id }),
    site,
    device,
    anAlert({ orgId, deviceId: device.id }),
    aCustomField({ owner, key: 'own' }),
    aScript({ owner }),
    aFilter({ orgId, createdBy: user.id }),
  ];
}
