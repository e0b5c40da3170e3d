/** Sessions and refresh tokens on PostgreSQL, within one transaction. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SessionWriter } from '#application/ports/auth/session-store.ts';
import type { Session } from '#domain/access/session.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import { type EpochMs, HOUR_MS } from '#domain/time.ts';

export function sessionWriter(em: EntityManager): SessionWriter {
  return {
    add: async (session, tokenSha256) => {
      // Held, so that an erasure or a change of password that is under way comes before or after all of this.
      const users = await em.execute<unknown[]>(HOLD_USER, [session.userId, session.authEpoch]);
      if (users.length === 0) return false;
      const { createdAt } = session;
      await em.execute(CLEAR, [session.userId, toText(createdAt), toText(createdAt - HOUR_MS)]);
      await em.execute(ADD_SESSION, [
        session.id,
        session.userId,
        session.authEpoch,
        session.mfa === null ? null : toText(session.mfa.verifiedAt),
        session.mfa?.epoch ?? null,
        toText(createdAt),
        toText(session.expiresAt),
      ]);
      await em.execute(ADD_TOKEN, [tokenSha256, session.id, toText(createdAt)]);
      return true;
    },

    findRefreshToken: async (tokenSha256) => {
      const [token] = await em.execute<{ session_id: string; is_used: boolean }[]>(HOLD_TOKEN, [tokenSha256]);
      if (token === undefined) {
        const known = await em.execute<unknown[]>(FIND_TOKEN, [tokenSha256]);
        return known.length === 0 ? null : 'in-use';
      }
      const [row] = await em.execute<SessionColumns[]>(HOLD_SESSION, [token.session_id]);
      if (row === undefined) return null;
      return { session: toSession(row), isUsed: token.is_used, userAuthEpoch: row.user_auth_epoch };
    },

    rotate: async (session, used, next, at) => {
      await em.execute('update refresh_token set used_at = ? where token_sha256 = ?', [toText(at), used]);
      await em.execute(ADD_TOKEN, [next, session.id, toText(at)]);
      await em.execute('update session set expires_at = ? where id = ?', [
        toText(session.expiresAt),
        session.id,
      ]);
    },

    end: async (id, at) => {
      await em.execute('update session set ended_at = ? where id = ? and ended_at is null', [toText(at), id]);
    },

    endByRefreshToken: async (tokenSha256, at) => {
      await em.execute(END_BY_TOKEN, [toText(at), tokenSha256]);
    },

    setMfa: async (userId, id, { verifiedAt, epoch }) => {
      await em.execute('update session set mfa_verified_at = ?, mfa_epoch = ? where id = ? and user_id = ?', [
        toText(verifiedAt),
        epoch,
        id,
        userId,
      ]);
    },
  };
}

interface SessionColumns {
  readonly id: string;
  readonly user_id: string;
  readonly auth_epoch: number;
  readonly mfa_verified_at: string | null;
  readonly mfa_epoch: number | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly ended_at: string | null;
  readonly user_auth_epoch: number | null;
}

const HOLD_USER = `select 1 from app_user where id = ? and status = 'active' and auth_epoch = ? for share`;

const CLEAR = 'delete from session where user_id = ? and (expires_at <= ? or ended_at <= ?)';

const ADD_SESSION = `
  insert into session (id, user_id, auth_epoch, mfa_verified_at, mfa_epoch, created_at, expires_at)
  values (?, ?, ?, ?, ?, ?, ?)`;

const ADD_TOKEN = 'insert into refresh_token (token_sha256, session_id, created_at) values (?, ?, ?)';

const HOLD_TOKEN = `
  select session_id, used_at is not null as is_used from refresh_token
  where token_sha256 = ? for update skip locked`;

const FIND_TOKEN = 'select 1 from refresh_token where token_sha256 = ?';

const HOLD_SESSION = `
  select s.id, s.user_id, s.auth_epoch, s.mfa_epoch,
    extract(epoch from s.mfa_verified_at) * 1000 as mfa_verified_at,
    extract(epoch from s.created_at) * 1000 as created_at,
    extract(epoch from s.expires_at) * 1000 as expires_at,
    extract(epoch from s.ended_at) * 1000 as ended_at,
    (select u.auth_epoch from app_user u where u.id = s.user_id and u.status = 'active') as user_auth_epoch
  from session s where s.id = ? for update of s`;

const END_BY_TOKEN = `
  update session s set ended_at = ? from refresh_token t
  where t.token_sha256 = ? and s.id = t.session_id and s.ended_at is null`;

function toSession(row: SessionColumns): Session {
  return {
    id: row.id as SessionId,
    userId: row.user_id as UserId,
    authEpoch: row.auth_epoch,
    mfa:
      row.mfa_verified_at === null || row.mfa_epoch === null
        ? null
        : { verifiedAt: Number(row.mfa_verified_at), epoch: row.mfa_epoch },
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
  };
}

function toText(instant: EpochMs): string {
  return new Date(instant).toISOString();
}
