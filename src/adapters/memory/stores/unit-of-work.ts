import { stageAccessTables } from '#adapters/memory/tables/access-tables.ts';
import { stageDeletionTables } from '#adapters/memory/tables/deletion-tables.ts';
import { StagedMap } from '#adapters/memory/tables/staged-map.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SavedFilterWriter } from '#application/ports/filters/saved-filter-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { Device } from '#domain/device/device.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId } from '#domain/ids.ts';
import { freezeEntry } from './audit/audit-log.ts';
import { eraseAccount } from './deletion/account-eraser.ts';
import { makeDeletionRequestWriter } from './deletion/deletion-request-store.ts';
import { makeCustomFieldWriter } from './fleet/custom-field-store.ts';
import { makeDeviceWriter } from './fleet/device-writer.ts';
import { usageOf } from './fleet/filter-usage.ts';
import { makeTenantWriter } from './fleet/organization-directory.ts';
import { makeApiKeyWriter } from './identity/api-key-store.ts';
import { makeEnrolmentKeyWriter } from './identity/enrolment-key-store.ts';
import { makeMfaWriter } from './identity/mfa-store.ts';
import { makeOwnNetworkWriter } from './identity/own-networks.ts';
import { makePasswordWriter } from './identity/password-store.ts';
import { makeSessionWriter } from './identity/session-store.ts';
import { makeUserStatusWriter } from './identity/user-status.ts';
import { queueMail, withdrawMail } from './mail/mail-outbox.ts';

type Tables = Pick<World, 'filters' | 'organizations' | 'auditEntries' | 'mails'>;

export interface UnitOfWorkDeps {
  readonly world: World;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly digestSecret: DigestSecret;
}

/**
 * Transactions over the world. Changes are staged and applied if the work succeeds. One transaction runs at a time,
 * so every filter that was read counts as locked. A transaction inside another would never start.
 */
export function makeUnitOfWork({ world, clock, newId, digestSecret }: UnitOfWorkDeps): UnitOfWork {
  return (scope, work) =>
    world.lock(async () => {
      const changed = new Map<FilterId, SavedFilter | null>();
      const entries: AuditEntry[] = [];
      const mailChanges: (() => void)[] = [];
      let isOpen = true;
      const assertOpen = () => {
        if (!isOpen) throw new Error('the transaction has ended');
      };
      const assertSystem = () => {
        assertOpen();
        if (scope.kind !== 'system') {
          throw new Error('tenants, sessions, factors and keys need the system scope');
        }
      };
      const access = stageAccessTables(world, assertSystem);
      const partners = new StagedMap(world.partners, assertSystem);
      const organizations = new StagedMap(world.organizations, assertSystem);
      const deletion = stageDeletionTables(world, assertOpen);
      const changedDevices = new Map<DeviceId, Device>();
      const customFields = new StagedMap(world.customFields, assertOpen);
      const enrolmentKeys = new StagedMap(world.enrolmentKeys, assertOpen);
      try {
        const result = await work({
          filters: makeFilterWriter(world, scope, changed, assertOpen),
          customFields: makeCustomFieldWriter(world, customFields, scope),
          devices: makeDeviceWriter(world, scope, changedDevices, assertOpen),
          tenants: makeTenantWriter(partners, organizations),
          deletions: makeDeletionRequestWriter(world, deletion, scope),
          async eraseAccount(userId) {
            eraseAccount(access, deletion, userId, clock());
            mailChanges.push(() => withdrawMail(world, userId, clock()));
          },
          sessions: makeSessionWriter(access),
          mfa: makeMfaWriter(access),
          passwords: makePasswordWriter(access),
          userStatus: makeUserStatusWriter(access, world),
          ownNetworks: makeOwnNetworkWriter(access),
          apiKeys: makeApiKeyWriter(access, digestSecret),
          enrolmentKeys: makeEnrolmentKeyWriter(world, enrolmentKeys, scope),
          async audit(entry) {
            assertOpen();
            entries.push(freezeEntry(entry));
          },
          async mail(mail) {
            assertOpen();
            const queued = structuredClone(mail);
            mailChanges.push(() => queueMail(world, newId<'mail'>(), queued, clock()));
          },
        });
        for (const [id, filter] of changed) {
          if (filter === null) world.filters.delete(id);
          else world.filters.set(id, filter);
        }
        for (const device of changedDevices.values()) world.devices.put(device);
        partners.commit();
        organizations.commit();
        customFields.commit();
        enrolmentKeys.commit();
        access.commit();
        deletion.commit();
        world.auditEntries.push(...entries);
        for (const change of mailChanges) change();
        return result;
      } finally {
        isOpen = false;
      }
    });
}

/** `findForUpdate` returns null for filters out of reach; other methods throw. */
function makeFilterWriter(
  world: Tables,
  scope: AccessScope,
  changed: Map<FilterId, SavedFilter | null>,
  assertOpen: () => void,
): SavedFilterWriter {
  const find = (id: FilterId): SavedFilter | null => {
    assertOpen();
    const change = changed.get(id);
    const filter = change === undefined ? (world.filters.get(id) ?? null) : change;
    return filter !== null && canReach(scope, filter.orgId) ? filter : null;
  };
  const mustFind = (id: FilterId): SavedFilter => {
    const filter = find(id);
    if (filter === null) throw new Error(`there is no filter ${id} within the transaction's scope`);
    return filter;
  };
  return {
    async holdUsage(orgId) {
      assertOpen();
      if (!canReach(scope, orgId)) throw new Error(`organization ${orgId} is out of reach`);
      const all = new Map([...world.filters, ...changed]);
      return usageOf(
        [...all.values()].filter((filter) => filter !== null),
        orgId,
      );
    },
    async findForUpdate(id) {
      return find(id);
    },
    async add(filter) {
      assertOpen();
      if (!canReach(scope, filter.orgId) || !world.organizations.has(filter.orgId)) {
        throw new Error(`there is no organization ${filter.orgId} within the transaction's scope`);
      }
      const isTaken = changed.has(filter.id) ? changed.get(filter.id) !== null : world.filters.has(filter.id);
      if (isTaken) throw new Error(`filter ${filter.id} already exists`);
      changed.set(filter.id, Object.freeze({ ...filter }));
    },
    async replace(filter) {
      const { orgId } = mustFind(filter.id);
      if (filter.orgId !== orgId) throw new Error(`filter ${filter.id} cannot move to another organization`);
      changed.set(filter.id, Object.freeze({ ...filter }));
    },
    async remove(id) {
      mustFind(id);
      changed.set(id, null);
    },
  };
}
