/** What every fleet writer promises of valid fleets. */
import { createHash } from 'node:crypto';
import { processByOf } from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anAlert,
  anApiKey,
  anAuditEntry,
  anOrganization,
  aPartner,
  aScript,
  aSite,
  aUser,
  located,
  newId,
  ONLINE_CONDITIONS,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { aProcessingRequest } from '#test/support/deletions.ts';
import { and } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeFleetQuestions, NO_RECORDS, placesOf } from './write-fleet.ts';

const digest = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** One that waits for review. */
function aDeletionRequest(given: { readonly userId: UserId; readonly orgId: OrgId }): DeletionRequestRecord {
  const id = newId<'deletion-request'>();
  return {
    ...{ kind: 'deletionRequest', id, failures: 0, problem: null, nextAttemptAt: null, remindedAt: null },
    request: {
      ...{ id, ...given, partnerId: null, reason: null, status: 'pending' },
      ...{ requestedAt: SOME_INSTANT, processBy: processByOf(SOME_INSTANT) },
      ...{ createdAt: SOME_INSTANT, updatedAt: SOME_INSTANT },
    },
  };
}

export function testFleetUpsert(backend: () => ContractBackend): void {
  const { write, furnish, hostnames } = makeFleetQuestions(backend);

  describe('FleetWriter', () => {
    test('does not count erased users and their keys', async () => {
      const [user, erased] = [aUser(), aUser()];
      await loadFleet(backend(), [user, erased]);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(erased.id));
      const keys = [anApiKey({ userId: user.id }), anApiKey({ userId: erased.id })];
      expect(await write(user, erased, ...keys)).toStrictEqual(ok({ ...NO_RECORDS, user: 1, apiKey: 1 }));
    });

    test('stores and counts records of every kind', async () => {
      const partner = aPartner();
      const { id: orgId } = anOrganization({ partnerId: partner.id });
      const owner = { kind: 'organization', orgId } as const;
      const user = aUser({ membership: { scope: 'organization', orgId } });
      const device = aDevice({ orgId, hostname: 'desk' });
      const key = anApiKey({ userId: user.id });
      const filter = aFilter({ orgId, createdBy: user.id, name: 'Everything', description: 'as it says' });
      const outcome = await write(
        partner,
        anOrganization({ id: orgId, partnerId: partner.id }),
        aSite({ orgId }),
        user,
        key,
        aCustomField({ owner, key: 'a' }),
        aCustomField({ owner, key: 'b' }),
        device,
        aDevice({ orgId }),
        aDevice({ orgId }),
        aScript({ owner }),
        aScript({ owner: { kind: 'partner', partnerId: partner.id } }),
        anAlert({ orgId, deviceId: device.id }),
        filter,
        {
          kind: 'enrolmentKey',
          ...{ id: newId<'enrolment-key'>(), orgId, siteId: null, name: 'Office' },
          ...{
            keySha256: digest('an enrolment key'),
            createdAt: SOME_INSTANT,
            expiresAt: null,
            revokedAt: null,
          },
        },
        aDeletionRequest({ userId: user.id, orgId }),
        { kind: 'auditEntry', ...anAuditEntry({ orgId, resourceId: filter.id }) },
      );
      expect(outcome).toStrictEqual(
        ok({
          ...NO_RECORDS,
          partner: 1,
          organization: 1,
          site: 1,
          user: 1,
          apiKey: 1,
          customField: 2,
          device: 3,
          script: 2,
          alert: 1,
          filter: 1,
          enrolmentKey: 1,
          deletionRequest: 1,
          auditEntry: 1,
        }),
      );
      expect(await backend().findEnrolmentKey(digest('an enrolment key'))).toMatchObject({ orgId });
      expect((await backend().deletionRequests.findLatestOf(user.id))?.status).toBe('pending');
      const anyEntry = {
        action: null,
        actorIds: null,
        resourceId: null,
        orgId: null,
        result: null,
        from: null,
        to: null,
        after: null,
      };
      expect(await backend().readAuditEntries(orgScope(orgId), { ...anyEntry, limit: 10 })).toMatchObject([
        { resourceId: filter.id },
      ]);
      expect(await backend().organizationExists(orgId)).toBe(true);
      expect((await backend().principals.findUser(user.id))?.scope).toStrictEqual({
        kind: 'organization',
        orgId,
      });
      expect((await backend().principals.findApiKey(digest(key.key)))?.grant.id).toBe(key.id);
      expect((await backend().customFields(orgScope(orgId))).map((field) => field.key)).toStrictEqual([
        'a',
        'b',
      ]);
      const [listed] = await Array.fromAsync(backend().filters.list(orgScope(orgId)));
      expect(listed).toStrictEqual({
        id: filter.id,
        orgId,
        partnerId: null,
        name: 'Everything',
        description: 'as it says',
        conditionsJson: JSON.stringify(ONLINE_CONDITIONS),
        createdBy: user.id,
        changedBy: user.id,
        createdAt: listed?.createdAt,
        updatedAt: listed?.createdAt,
        version: 1,
      });
    });

    test('accepts an empty source', async () => {
      expect(await write()).toStrictEqual(ok(NO_RECORDS));
    });

    test('accepts an asynchronous source', async () => {
      const partner = aPartner();
      const source = async function* () {
        yield* located([anOrganization({ partnerId: partner.id })]);
        await Promise.resolve();
        yield* located([partner]);
      };
      expect(await backend().fleetWriter(source())).toStrictEqual(
        ok({ ...NO_RECORDS, partner: 1, organization: 1 }),
      );
    });

    test('accepts a record that refers to a later one, whatever their kinds', async () => {
      const partner = aPartner();
      const organization = anOrganization({ partnerId: partner.id });
      const orgId = organization.id;
      const user = aUser({ membership: { scope: 'partner', partnerId: partner.id, orgIds: [orgId] } });
      const site = aSite({ orgId });
      const device = aDevice({ orgId, siteId: site.id, hostname: 'desk', custom: new Map([['seats', 5]]) });
      const field = aCustomField({
        owner: { kind: 'partner', partnerId: partner.id },
        key: 'seats',
        type: 'number',
      });
      const outcome = await write(
        aFilter({
          orgId,
          createdBy: user.id,
          conditions: and({ field: 'custom.seats', operator: 'greaterThan', value: 1 }),
        }),
        anAlert({ orgId, deviceId: device.id }),
        aScript({ owner: { kind: 'organization', orgId } }),
        anApiKey({ userId: user.id, orgId }),
        device,
        field,
        user,
        site,
        organization,
        partner,
      );
      expect(placesOf(outcome)).toStrictEqual([]);
      const tenant = { partnerId: partner.id, orgId, orgIds: [orgId], userId: user.id };
      const found = and(
        { field: 'alerts.critical', operator: 'equals', value: true },
        { field: 'siteId', operator: 'equals', value: site.id },
        { field: 'custom.seats', operator: 'equals', value: 5 },
      );
      expect(await hostnames(tenant, found)).toStrictEqual(['desk']);
    });

    test('accepts a filter and a decision by unknown people', async () => {
      const { orgId, userId } = await createTenant(backend());
      const filter = aFilter({ orgId, createdBy: newId() });
      const pending = aDeletionRequest({ userId, orgId });
      const request = aProcessingRequest({ id: pending.id, userId, orgId });
      expect(placesOf(await write(filter, { ...pending, request }))).toStrictEqual([]);
      const found = await backend().filters.find(SYSTEM_SCOPE, filter.id);
      expect(found?.createdBy).toBe(filter.createdBy);
      const stored = await backend().deletionRequests.find(SYSTEM_SCOPE, request.id);
      expect(stored?.request).toStrictEqual(request);
    });

    test('accepts a filter from a dump whose field, choice or regular expression is no longer valid', async () => {
      const { orgId, userId } = await createTenant(backend());
      const conditions = and(
        { field: 'custom.gone', operator: 'equals', value: 'x' },
        { field: 'status', operator: 'equals', value: 'asleep' },
        { field: 'hostname', operator: 'matches', value: 'a(' },
      );
      const outcome = await write(aFilter({ orgId, createdBy: userId, conditions, version: 2 }));
      expect(placesOf(outcome)).toStrictEqual([]);
      const [filter] = await Array.fromAsync(backend().filters.list(orgScope(orgId)));
      expect(JSON.parse(filter?.conditionsJson ?? '')).toStrictEqual(conditions);
    });

    test('accepts thousands of records and reports its progress', async () => {
      const { orgId } = await createTenant(backend());
      const source = function* () {
        for (let i = 0; i < 3000; i++) yield* located([aDevice({ orgId })]);
      };
      const told: number[] = [];
      const outcome = await backend().fleetWriter(source(), (records) => told.push(records));
      expect(outcome).toStrictEqual(ok({ ...NO_RECORDS, device: 3000 }));
      expect(told.at(-1)).toBe(3000);
      expect(told).toStrictEqual([...new Set(told)].toSorted((a, b) => a - b));
    });

    test('changes nothing when the same fleet is loaded again', async () => {
      const tenant = await furnish();
      const look = async () => ({
        filters: await Array.fromAsync(backend().filters.list(orgScope(tenant.orgId))),
        fields: await backend().customFields(orgScope(tenant.orgId)),
        critical: await hostnames(tenant, and({ field: 'alerts.critical', operator: 'equals', value: true })),
        devices: await hostnames(tenant, and({ field: 'hostname', operator: 'isNotNull' })),
      });
      const before = await look();
      expect(placesOf(await write(...tenant.records))).toStrictEqual([]);
      expect(await look()).toStrictEqual(before);
      expect(before.devices).toStrictEqual(['desk']);
      expect(before.critical).toStrictEqual(['desk']);
    });

    test('changes records with the same id', async () => {
      const tenant = await furnish();
      const { orgId, userId } = tenant;
      const [before] = await Array.fromAsync(backend().filters.list(orgScope(orgId)));
      const field = aCustomField({ owner: { kind: 'organization', orgId }, key: 'seats_2', type: 'number' });
      await loadFleet(
        backend(),
        tenant.records.map((record): FleetRecord => {
          if (record.kind === 'filter')
            return { ...record, name: 'Renamed', conditions: and({ field: 'tags', operator: 'isEmpty' }) };
          if (record.kind === 'customField') return { ...field, id: record.id };
          if (record.kind === 'device') return { ...record, hostname: 'renamed' };
          return record;
        }),
      );
      const after = await Array.fromAsync(backend().filters.list(orgScope(orgId)));
      expect(after).toStrictEqual([
        {
          id: before?.id,
          orgId,
          partnerId: null,
          name: 'Renamed',
          description: null,
          conditionsJson: JSON.stringify(and({ field: 'tags', operator: 'isEmpty' })),
          createdBy: userId,
          changedBy: null,
          createdAt: before?.createdAt,
          updatedAt: after[0]?.updatedAt,
          version: 2,
        },
      ]);
      expect(after[0]?.updatedAt).toBeGreaterThan(before?.updatedAt ?? 0);
      expect(
        (await backend().customFields(orgScope(orgId))).map(({ key, type }) => [key, type]),
      ).toStrictEqual([['seats_2', 'number']]);
      expect(await hostnames(tenant, and({ field: 'hostname', operator: 'isNotNull' }))).toStrictEqual([
        'renamed',
      ]);
    });

    test('is not affected by later changes to a record object', async () => {
      const tenant = await createTenant(backend());
      const tags = ['vpn'];
      const custom = new Map([['note', 'kept']]);
      const hardware = { ...aDevice(tenant).hardware };
      const device = aDevice({ orgId: tenant.orgId, hostname: 'desk', tags, custom, hardware });
      const field = aCustomField({ owner: { kind: 'organization', orgId: tenant.orgId }, key: 'note' });
      await loadFleet(backend(), [field, device]);
      tags.push('changed');
      custom.set('note', 'changed');
      hardware.model = 'changed';
      const changed = ['custom.note', 'hardware.model'].map((key) =>
        hostnames(tenant, and({ field: key, operator: 'equals', value: 'changed' })),
      );
      const tagged = hostnames(tenant, and({ field: 'tags', operator: 'contains', value: 'changed' }));
      expect(await Promise.all([...changed, tagged])).toStrictEqual([[], [], []]);
    });
  });
}
