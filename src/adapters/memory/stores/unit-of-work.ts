import { stageTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { Device } from '#domain/device/device.ts';
import type { DeviceId } from '#domain/ids.ts';
import { freezeEntry } from './audit-stores.ts';
import { eraseAccount } from './deletion/account-eraser.ts';
import { makeDeletionRequestWriter } from './deletion/deletion-request-store.ts';
import { makeBulkChangeWriter } from './fleet/bulk-change-store.ts';
import { makeCustomFieldWriter } from './fleet/custom-field-store.ts';
import { type DeviceChanges, makeAlertWriter, makeDeviceWriter } from './fleet/device-writer.ts';
import { makeTenantWriter } from './fleet/organization-directory.ts';
import { makeSavedFilterWriter } from './fleet/saved-filter-store.ts';
import { makeSubscriptionWriter } from './fleet/subscription-store.ts';
import { makeWebhookWriter } from './fleet/webhook-store.ts';
import { makeIdentityProviderWriter } from './identity/identity-provider-store.ts';
import { makeApiKeyWriter, makeEnrolmentKeyWriter } from './identity/key-stores.ts';
import { makeLinkWriter } from './identity/link-store.ts';
import { makePasskeyWriter } from './identity/passkey-stores.ts';
import { makePeopleWriter } from './identity/people-store.ts';
import { makeSessionWriter } from './identity/session-store.ts';
import { makeMfaWriter, makeOwnNetworkWriter, makePasswordWriter } from './identity/user-stores.ts';
import { queueMail, withdrawMail } from './mail/mail-outbox.ts';

export interface UnitOfWorkDeps {
  readonly world: World;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly digestSecret: DigestSecret;
}

/**
 * Runs one transaction at a time, so every row that was read counts as locked. Nested transactions deadlock. Failed
 * work changes nothing.
 */
export function makeUnitOfWork({ world, clock, newId, digestSecret }: UnitOfWorkDeps): UnitOfWork {
  return (scope, work) =>
    world.lock(async () => {
      const entries: AuditEntry[] = [];
      const mailChanges: (() => void)[] = [];
      let isOpen = true;
      const assertOpen = () => {
        if (!isOpen) throw new Error('the transaction has ended');
      };
      const assertSystem = () => {
        assertOpen();
        if (scope.kind !== 'system') throw new Error('this needs the system scope');
      };
      const tables = stageTables(world, assertOpen, assertSystem);
      const sessions = makeSessionWriter(tables);
      const passwords = makePasswordWriter(tables);
      const changes: DeviceChanges = { devices: new Map(), others: [] };
      try {
        const result = await work({
          filters: makeSavedFilterWriter(world, tables, scope),
          subscriptions: makeSubscriptionWriter(world, tables, scope, changes.others),
          webhooks: makeWebhookWriter(tables, scope),
          customFields: makeCustomFieldWriter(world, tables, scope),
          devices: makeDeviceWriter(world, scope, changes, assertOpen),
          bulkChanges: makeBulkChangeWriter(world, tables, scope),
          alerts: makeAlertWriter(world, tables, scope, changes.devices),
          tenants: makeTenantWriter(world, tables, scope, changes),
          deletions: makeDeletionRequestWriter(world, tables, scope),
          async eraseAccount(userId) {
            assertSystem();
            eraseAccount(tables, userId, clock());
            mailChanges.push(() => withdrawMail(world, userId, clock()));
          },
          sessions: {
            ...sessions,
            async add(...given) {
              assertSystem();
              return sessions.add(...given);
            },
          },
          mfa: makeMfaWriter(tables),
          passkeys: makePasskeyWriter(tables),
          identityProviders: makeIdentityProviderWriter(tables),
          passwords: {
            ...passwords,
            async change(...given) {
              assertSystem();
              return passwords.change(...given);
            },
          },
          people: makePeopleWriter(world, tables, scope),
          ownNetworks: makeOwnNetworkWriter(tables),
          links: makeLinkWriter(tables, newId),
          apiKeys: makeApiKeyWriter(tables, digestSecret),
          enrolmentKeys: makeEnrolmentKeyWriter(world, tables, scope),
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
        tables.commit();
        for (const change of changes.others) change();
        for (const [id, device] of changes.devices) putDevice(world, id, device);
        world.auditEntries.push(...entries);
        for (const change of mailChanges) change();
        return result;
      } finally {
        isOpen = false;
      }
    });
}

function putDevice({ devices }: World, id: DeviceId, device: Device | null): void {
  if (device !== null) devices.put(device);
  else {
    const removed = devices.get(id);
    if (removed !== undefined) devices.remove(removed);
  }
}
