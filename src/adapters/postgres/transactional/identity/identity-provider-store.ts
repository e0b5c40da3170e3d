import type { EntityManager } from '@mikro-orm/postgresql';
import { OrganizationRow, PartnerRow } from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import {
  FederatedIdentityRow,
  IdentityProviderRow,
  ProviderDomainRow,
  toFederatedIdentity,
  toFederatedIdentityRow,
  toIdentityProvider,
  toIdentityProviderRow,
  toSettingsColumns,
} from '#adapters/postgres/transactional/entities/identity-provider-rows.ts';
import { FOR_UPDATE, lockSoon, type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import { clientSecretPlace } from '#adapters/postgres/transactional/secrets/sealing-keys.ts';
import type { SecretsAtRest } from '#adapters/postgres/transactional/secrets/secrets-at-rest.ts';
import type {
  IdentityProviderReader,
  IdentityProviderWriter,
} from '#application/ports/auth/stores/identity-provider-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { IdentityProvider } from '#domain/access/identity-provider.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { IdentityProviderId, UserId } from '#domain/ids.ts';
import { insertPerson } from './link-store.ts';

type Secrets = Pick<SecretsAtRest, 'seal' | 'open'>;

export function makeIdentityProviderReader(orm: Orm, signIn: Orm, secrets: Secrets): IdentityProviderReader {
  return {
    list: (scope) =>
      orm.withScope(scope, async (em) => {
        const rows = await em.find(IdentityProviderRow, withinReach(scope));
        const providers = await withDomains(em, rows);
        return providers.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
      }),
    find: (scope, id) =>
      orm.withScope(scope, async (em) => {
        const row = await em.findOne(IdentityProviderRow, { $and: [{ id }, withinReach(scope)] });
        return row === null ? null : withItsDomains(em, row);
      }),
    findForSignIn: (by) =>
      signIn.withScope(SYSTEM_SCOPE, async (em) => {
        const named = 'id' in by ? by.id : await verifiedFor(em, by.domain);
        const row = named === null ? null : await em.findOne(IdentityProviderRow, { id: named });
        if (row === null) return null;
        const { clientSecret: sealed } = row;
        return {
          provider: await withItsDomains(em, row),
          clientSecret: sealed === null ? null : secrets.open(sealed, clientSecretPlace(row.id)),
        };
      }),
    listForPerson: (userId) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const rows = await em.execute<{ id: IdentityProviderId; name: string }[]>(OF_PERSON, [userId]);
        const identities = await em.find(FederatedIdentityRow, { user: userId });
        return rows
          .map(({ id, name }) => {
            const identity = identities.find(({ provider }) => provider.id === id);
            return {
              provider: { id, name },
              identity: identity === undefined ? null : toFederatedIdentity(identity),
            };
          })
          .sort((a, b) => compare(a.provider.name, b.provider.name) || compare(a.provider.id, b.provider.id));
      }),
  };
}

export function identityProviderWriter(em: EntityManager, secrets: Secrets): IdentityProviderWriter {
  const hold = async (id: IdentityProviderId) => {
    await em.flush();
    return em.findOne(IdentityProviderRow, { id }, FOR_UPDATE);
  };
  const replaceDomains = async ({ id, domains }: IdentityProvider) => {
    await em.nativeDelete(ProviderDomainRow, { provider: id });
    for (const domain of domains) await em.insert(ProviderDomainRow, { provider: id, ...domain });
  };
  return {
    hold: async (id) => {
      const row = await hold(id);
      return row === null ? null : withItsDomains(em, row);
    },

    add: async (provider, clientSecret) => {
      if (!(await ownerExists(em, provider.owner))) return 'unknown-owner';
      if (await isDomainTaken(em, provider)) return 'domain-taken';
      const sealed = secrets.seal(clientSecret, clientSecretPlace(provider.id));
      await em.insert(IdentityProviderRow, toIdentityProviderRow(provider, sealed));
      await replaceDomains(provider);
      return null;
    },

    replace: async (provider, clientSecret) => {
      const { id } = provider;
      if (await isDomainTaken(em, provider)) return 'domain-taken';
      const sealed = clientSecret === null ? null : secrets.seal(clientSecret, clientSecretPlace(id));
      const changes = { ...toSettingsColumns(provider), ...(sealed !== null && { clientSecret: sealed }) };
      const count = await em.nativeUpdate(IdentityProviderRow, { id }, changes);
      if (count !== 1) throw new Error(`there is no identity provider ${id}`);
      await replaceDomains(provider);
      return null;
    },

    remove: async (id) => {
      await em.flush();
      await em.nativeDelete(IdentityProviderRow, { id });
    },

    listDependent: async (id) => {
      await em.flush();
      const rows = await em.execute<{ id: UserId }[]>(DEPENDENT, [id]);
      return rows.map((row) => row.id);
    },

    findIdentity: async (providerId, subject) => {
      await em.flush();
      const where = { provider: providerId, subject };
      const row = await em.findOne(FederatedIdentityRow, where, { refresh: true });
      return row === null ? null : toFederatedIdentity(row);
    },

    makePerson: async (person, identity) => {
      const refusal = await insertPerson(em, person, 'active', new Date(identity.createdAt));
      if (refusal === null) await em.insert(FederatedIdentityRow, toFederatedIdentityRow(identity));
      return refusal;
    },

    // If another transaction links the same subject or person, the insert waits and then adds nothing.
    link: async (identity) => {
      await em.flush();
      const { affectedRows } = await em
        .createQueryBuilder(FederatedIdentityRow)
        .insert(toFederatedIdentityRow(identity))
        .onConflict()
        .ignore()
        .execute();
      return affectedRows === 1;
    },

    unlink: async (providerId, userId) => {
      await em.flush();
      const linked = { provider: providerId, user: userId, isMade: false };
      return (await em.nativeDelete(FederatedIdentityRow, linked)) === 1;
    },

    recordSignIn: async (providerId, subject, at) => {
      await em.flush();
      const identity = { provider: providerId, subject };
      await em.nativeUpdate(FederatedIdentityRow, identity, { lastSignInAt: new Date(at) });
    },
  };
}

async function ownerExists(em: EntityManager, owner: Owner): Promise<boolean> {
  await em.flush();
  return owner.kind === 'organization'
    ? (await em.count(OrganizationRow, { id: owner.orgId })) > 0
    : (await em.count(PartnerRow, { id: owner.partnerId })) > 0;
}

/** Changes of domains wait for each other, so two providers never get the same domain. */
async function isDomainTaken(em: EntityManager, { id, domains }: IdentityProvider): Promise<boolean> {
  if (domains.length === 0) return false;
  await lockSoon(em, () => em.execute(HOLD_DOMAINS));
  const taken = await em.count(ProviderDomainRow, {
    ...{ domain: { $in: domains.map(({ domain }) => domain) }, isVerified: true },
    provider: { $ne: id },
  });
  return taken > 0;
}

async function verifiedFor(em: EntityManager, domain: string): Promise<IdentityProviderId | null> {
  return (await em.findOne(ProviderDomainRow, { domain, isVerified: true }))?.provider.id ?? null;
}

async function withItsDomains(em: EntityManager, row: IdentityProviderRow): Promise<IdentityProvider> {
  const [provider] = await withDomains(em, [row]);
  if (provider === undefined) throw new Error('a row has no provider');
  return provider;
}

async function withDomains(
  em: EntityManager,
  rows: readonly IdentityProviderRow[],
): Promise<IdentityProvider[]> {
  const ids = rows.map(({ id }) => id);
  const orderBy = { domain: 'asc' } as const;
  const found = await em.find(ProviderDomainRow, { provider: { $in: ids } }, { orderBy, refresh: true });
  const domains = Map.groupBy(found, ({ provider }) => provider.id);
  return rows.map((row) =>
    toIdentityProvider(
      row,
      (domains.get(row.id) ?? []).map(({ domain, isVerified }) => ({ domain, isVerified })),
    ),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const HOLD_DOMAINS = `select pg_advisory_xact_lock(hashtextextended('domains of identity providers', 0))`;

const OF_PERSON = `
  select p.id, p.name from app_user u
    left join organization o on o.id = u.org_id
    join identity_provider p on p.org_id = u.org_id or p.partner_id = coalesce(u.partner_id, o.partner_id)
  where u.id = ? and u.status = 'active' and not u.is_platform_admin`;

const DEPENDENT = `
  select u.id from federated_identity f join app_user u on u.id = f.user_id
  where f.provider_id = ? and u.status = 'active' and u.password_hash is null order by u.id`;
