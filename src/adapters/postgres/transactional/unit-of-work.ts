import { raw } from '@mikro-orm/postgresql';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { eraseAccount } from './deletion/account-eraser.ts';
import { deletionRequestWriter } from './deletion/deletion-request-writer.ts';
import { AuditRow, toAuditRow } from './entities/audit-row.ts';
import { bulkChangeWriter } from './fleet/bulk-change-store.ts';
import { customFieldWriter } from './fleet/custom-field-store.ts';
import { alertWriter, deviceWriter } from './fleet/device-writer.ts';
import { tenantWriter } from './fleet/organization-directory.ts';
import { savedFilterWriter } from './fleet/saved-filter-store.ts';
import { subscriptionWriter } from './fleet/subscription-store.ts';
import { webhookWriter } from './fleet/webhook-store.ts';
import { identityProviderWriter } from './identity/identity-provider-store.ts';
import { apiKeyWriter, enrolmentKeyWriter } from './identity/key-stores.ts';
import { linkWriter } from './identity/link-store.ts';
import { passkeyWriter } from './identity/passkey-stores.ts';
import { peopleWriter } from './identity/people-store.ts';
import { sessionWriter } from './identity/session-store.ts';
import { mfaWriter, ownNetworkWriter, passwordWriter } from './identity/user-stores.ts';
import { queueMail } from './mail/mail-outbox.ts';
import { type Orm, retryConflicts } from './orm.ts';
import type { SecretsAtRest } from './secrets/secrets-at-rest.ts';

export interface UnitOfWorkDeps {
  readonly orm: Orm;
  readonly secrets: Pick<SecretsAtRest, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Takes the place of the database's clock. */
  readonly hostClock?: Clock | undefined;
  readonly newId: IdGenerator;
  readonly digestSecret: DigestSecret;
}

export function makeUnitOfWork(deps: UnitOfWorkDeps): UnitOfWork {
  const { orm, secrets, clock, hostClock, newId, digestSecret } = deps;
  const mailTime = () => (hostClock === undefined ? raw('statement_timestamp()') : new Date(hostClock()));
  return (scope, work) =>
    retryConflicts(() =>
      orm.withScope(scope, (em) =>
        work({
          filters: savedFilterWriter(em, scope),
          subscriptions: subscriptionWriter(em, scope),
          webhooks: webhookWriter(em, scope, secrets),
          customFields: customFieldWriter(em, scope),
          devices: deviceWriter(em, scope),
          bulkChanges: bulkChangeWriter(em),
          alerts: alertWriter(em, scope),
          tenants: tenantWriter(em, scope),
          sessions: sessionWriter(em, scope),
          mfa: mfaWriter(em, secrets),
          passkeys: passkeyWriter(em),
          identityProviders: identityProviderWriter(em, secrets),
          passwords: passwordWriter(em, scope),
          people: peopleWriter(em, scope, clock),
          ownNetworks: ownNetworkWriter(em),
          links: linkWriter(em, newId),
          apiKeys: apiKeyWriter(em, digestSecret),
          enrolmentKeys: enrolmentKeyWriter(em, scope),
          deletions: deletionRequestWriter(em, scope),
          eraseAccount: async (userId) => {
            if (scope.kind !== 'system') throw new Error('accounts are erased within the system scope only');
            await eraseAccount(em, userId, { at: new Date(clock()), mailAt: mailTime() });
          },
          // No managed row is used, because the scope may be unable to read the entry back.
          audit: async (entry) => void (await em.insert(AuditRow, toAuditRow(entry))),
          mail: (mail) => queueMail(em, newId<'mail'>(), mail, { at: mailTime(), secrets }),
        }),
      ),
    );
}
