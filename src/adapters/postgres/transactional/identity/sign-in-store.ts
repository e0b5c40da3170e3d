import { isRefusedInMaintenance } from '#adapters/postgres/database-error.ts';
import { UserRow } from '#adapters/postgres/transactional/entities/user-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { SessionId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { IS_ACTIVE, PRINCIPAL_COLUMNS, type PrincipalColumns, toPrincipal } from './principal-row.ts';

/** Reads are raw: one statement gets a user and their principal. In system scope, because no tenant is known yet. */
export function makeSignInStore(orm: Orm): SignInStore {
  const find = async (where: string, parameter: string): Promise<SignInAccount | null> => {
    const [row] = await orm.withScope(SYSTEM_SCOPE, (em) =>
      em.execute<AccountColumns[]>(`${SELECT} where ${where} and ${IS_ACTIVE}`, [parameter]),
    );
    return row === undefined ? null : toAccount(row);
  };
  return {
    findByEmail: (email) => find('u.email_lc = ?', foldCase(email)),
    findById: (userId) => find('u.id = ?', userId),
    findByRefreshToken: async (tokenSha256) => {
      const [row] = await orm.withScope(SYSTEM_SCOPE, (em) =>
        em.execute<(AccountColumns & TokenColumns)[]>(SELECT_BY_TOKEN, [tokenSha256]),
      );
      if (row === undefined) return null;
      const usedAt = row.used_at === null ? null : Number(row.used_at);
      return { account: toAccount(row), sessionId: row.session_id as SessionId, usedAt };
    },
    replacePasswordHash: async (userId, from, to) => {
      // Conditional: if the password was changed meanwhile, the new hash stays.
      await orm
        .withScope(SYSTEM_SCOPE, (em) =>
          em.nativeUpdate(UserRow, { id: userId, passwordHash: from }, { passwordHash: to }),
        )
        .catch((error: unknown) => {
          // In maintenance the sign-in succeeds all the same; the next one replaces the hash.
          if (!isRefusedInMaintenance(error)) throw error;
        });
    },
  };
}

interface AccountColumns extends PrincipalColumns {
  readonly email: string;
  readonly name: string;
  readonly password_hash: string | null;
  readonly password_epoch: number;
}

interface TokenColumns {
  readonly session_id: string;
  /** Epoch milliseconds. */
  readonly used_at: string | null;
}

const ACCOUNT_COLUMNS = `${PRINCIPAL_COLUMNS}, u.email, u.name, u.password_hash, u.password_epoch`;

const SELECT = `select ${ACCOUNT_COLUMNS} from app_user u`;

const SELECT_BY_TOKEN = `
  select ${ACCOUNT_COLUMNS}, t.session_id, (extract(epoch from t.used_at) * 1000)::bigint as used_at
  from refresh_token t join session s on s.id = t.session_id join app_user u on u.id = s.user_id
  where t.token_sha256 = ? and ${IS_ACTIVE}`;

function toAccount(row: AccountColumns): SignInAccount {
  return {
    principal: toPrincipal(row),
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    passwordEpoch: row.password_epoch,
  };
}
