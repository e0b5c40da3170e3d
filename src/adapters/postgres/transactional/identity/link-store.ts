import type { EntityManager } from '@mikro-orm/postgresql';
import { AccountLinkRow } from '#adapters/postgres/transactional/entities/link-rows.ts';
import { UserOrganizationRow, UserRow } from '#adapters/postgres/transactional/entities/user-rows.ts';
import { holdUser } from '#adapters/postgres/transactional/orm.ts';
import type { AccountRefusal } from '#application/ports/auth/stores/account-store.ts';
import type { LinkedAccount, LinkWriter, NewPerson } from '#application/ports/auth/stores/link-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import {
  type AccountLink,
  GOOD_AT_ONCE,
  isLinkGood,
  LINK_LIFETIME_MS,
  type LinkEpochs,
} from '#domain/access/account-link.ts';
import type { UserId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { membershipOf, missingMembership, subsetOf, toUserRow } from './account-store.ts';

const CLEARED_PER_LINK = 10;

export function linkWriter(em: EntityManager, newId: IdGenerator): LinkWriter {
  const removeLinks = async (userId: UserId | null) => {
    await em.nativeDelete(AccountLinkRow, { user: userId });
  };
  const holdActivePerson = async (userId: UserId): Promise<UserRow> => {
    const user = await holdUser(em, userId);
    if (user === null || user.status === 'deleted') throw new Error(`there is no user ${userId}`);
    return user;
  };
  return {
    invite: (person, at) => insertPerson(em, person, 'invited', new Date(at)),

    accept: async (userId, { name, passwordHash }) => {
      const user = await holdActivePerson(userId);
      user.name = name;
      user.passwordHash = passwordHash;
      user.passwordEpoch += 1;
      user.status = 'active';
      user.authEpoch += 1;
      await em.flush();
      await removeLinks(userId);
    },

    addAdministrator: async (person, passwordHash, at) => {
      const secrets = { passwordHash, totpSecret: null, status: 'active' as const };
      await em.insert(UserRow, toUserRow(person, secrets, new Date(at)));
    },

    hasPeople: async () => (await em.count(UserRow, { status: { $ne: 'deleted' as const } })) > 0,

    addLink: async ({ purpose, userId, tokenSha256, at, lifetimeMs = LINK_LIFETIME_MS[purpose] }) => {
      const expiresAt = at + lifetimeMs;
      const user = userId === null ? null : await holdUser(em, userId);
      const epochs = purpose === 'password-reset' && user !== null ? epochsOf(user) : null;
      const link: AccountLink = { tokenSha256, purpose, userId, epochs, createdAt: at, expiresAt };
      if (!isLinkGood(link, user && { status: user.status, epochs: epochsOf(user) }, at)) return;
      await em.execute(CLEAR, [new Date(at), CLEARED_PER_LINK]);
      if (userId !== null) {
        const kept = GOOD_AT_ONCE[purpose as keyof typeof GOOD_AT_ONCE] - 1;
        await em.execute(KEEP_NEWEST, [userId, purpose, userId, purpose, kept]);
      }
      await em.insert(AccountLinkRow, {
        tokenSha256,
        purpose,
        user: userId,
        authEpoch: epochs?.auth ?? null,
        passwordEpoch: epochs?.password ?? null,
        mfaEpoch: epochs?.mfa ?? null,
        createdAt: new Date(at),
        expiresAt: new Date(expiresAt),
      });
    },

    hold: async (tokenSha256, purpose, now) => {
      const known = await em.findOne(AccountLinkRow, { tokenSha256, purpose });
      if (known === null) return null;
      // Locks the user before the link, as every change of links does, so they cannot deadlock.
      const userId = known.user?.id ?? null;
      const user = userId === null ? null : await holdUser(em, userId);
      const [row] = await em.execute<object[]>(HOLD_LINK, [tokenSha256]);
      if (row === undefined) return null;
      const link = toLink(em.map(AccountLinkRow, row));
      if (!isLinkGood(link, user && { status: user.status, epochs: epochsOf(user) }, now)) return null;
      return user === null ? 'nobody' : toAccount(em, user);
    },

    removeLinks,

    requestReset: async (email, at) => {
      await em.execute(REQUEST, [newId(), foldCase(email), new Date(at)]);
    },

    takeResetRequest: async () => {
      const [taken] = await em.execute<{ user_id: UserId | null }[]>(TAKE_REQUEST);
      if (taken === undefined) return null;
      const user = taken.user_id === null ? null : await holdUser(em, taken.user_id);
      const canSignIn = user?.status === 'active' && user.passwordHash !== null;
      return canSignIn ? toAccount(em, user) : 'nobody';
    },
  };
}

/** Inserts a user without a password. `LinkWriter.invite` tells what is refused. */
export async function insertPerson(
  em: EntityManager,
  person: NewPerson,
  status: 'invited' | 'active',
  at: Date,
): Promise<AccountRefusal | null> {
  await em.flush();
  const refusal = await missingMembership(em, person);
  if (refusal !== null) return refusal;
  const holder = { emailLc: foldCase(person.email), status: { $ne: 'deleted' as const } };
  if ((await em.count(UserRow, holder)) > 0) return 'email-taken';
  // If another transaction adds the same person, the insert waits and then adds nothing.
  const { affectedRows } = await em
    .createQueryBuilder(UserRow)
    .insert(toUserRow(person, { passwordHash: null, totpSecret: null, status }, at))
    .onConflict()
    .ignore()
    .execute();
  if (affectedRows !== 1) return 'email-taken';
  for (const org of subsetOf(person)) await em.insert(UserOrganizationRow, { user: person.id, org });
  return null;
}

function epochsOf({ authEpoch, passwordEpoch, mfaEpoch }: UserRow): LinkEpochs {
  return { auth: authEpoch, password: passwordEpoch, mfa: mfaEpoch };
}

function toLink(row: AccountLinkRow): AccountLink {
  const { tokenSha256, purpose, authEpoch, passwordEpoch, mfaEpoch } = row;
  const hasEpochs = authEpoch !== null && passwordEpoch !== null && mfaEpoch !== null;
  return {
    tokenSha256,
    purpose,
    userId: row.user?.id ?? null,
    epochs: hasEpochs ? { auth: authEpoch, password: passwordEpoch, mfa: mfaEpoch } : null,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
  };
}

async function toAccount(em: EntityManager, user: UserRow): Promise<LinkedAccount> {
  const subset = user.hasOrgSubset ? await em.find(UserOrganizationRow, { user: user.id }) : [];
  const { id: userId, email, name } = user;
  return { userId, email, name, membership: membershipOf(user, subset.map(({ org }) => org.id).sort()) };
}

const HOLD_LINK = 'select * from account_link where token_sha256 = ? for update';

const KEEP_NEWEST = `
  delete from account_link where user_id = ? and purpose = ? and token_sha256 not in (
    select token_sha256 from account_link where user_id = ? and purpose = ?
    order by created_at desc, token_sha256 limit ?)`;

const CLEAR = `
  delete from account_link where token_sha256 in (
    select token_sha256 from account_link where expires_at <= ?
    order by expires_at limit ? for update skip locked)`;

/**
 * Runs the same statement for every email, so timing does not reveal accounts. The account is checked later,
 * when the request is taken.
 */
const REQUEST = `
  insert into password_reset_request (id, user_id, requested_at)
  select ?, (select id from app_user where email_lc = ? and status not in ('disabled', 'deleted')), ?`;

const TAKE_REQUEST = `
  delete from password_reset_request where id = (
    select id from password_reset_request order by id limit 1 for update skip locked)
  returning user_id`;
