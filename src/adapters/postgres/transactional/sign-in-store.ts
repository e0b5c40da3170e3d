/** Users as far as signing in goes, on PostgreSQL: before a tenant is known, and so with system scope. */
import type { SignInAccount, SignInStore } from '#application/ports/auth/sign-in-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { Orm } from './orm.ts';
import { IS_ACTIVE, PRINCIPAL_COLUMNS, type PrincipalColumns, toPrincipal } from './principal-row.ts';

export function makeSignInStore(orm: Orm): SignInStore {
  const find = async (where: string, parameter: string): Promise<SignInAccount | null> => {
    const [row] = await orm
      .within(SYSTEM_SCOPE)
      .transactional((em) =>
        em.execute<AccountColumns[]>(`${SELECT} where ${where} and ${IS_ACTIVE}`, [parameter]),
      );
    return row === undefined ? null : toAccount(row);
  };
  return {
    findByEmail: (email) => find('u.email_lc = ?', foldCase(email)),
    findById: (userId) => find('u.id = ?', userId),
    findByRefreshToken: (tokenSha256) => find(`u.id = (${OWNER_OF_TOKEN})`, tokenSha256),
    replacePasswordHash: async (userId, from, to) => {
      await orm
        .within(SYSTEM_SCOPE)
        .transactional((em) =>
          em.execute('update app_user set password_hash = ? where id = ? and password_hash = ?', [
            to,
            userId,
            from,
          ]),
        );
    },
  };
}

interface AccountColumns extends PrincipalColumns {
  readonly email: string;
  readonly name: string;
  readonly password_hash: string | null;
}

const SELECT = `select ${PRINCIPAL_COLUMNS}, u.email, u.name, u.password_hash from app_user u`;

const OWNER_OF_TOKEN = `
  select s.user_id from refresh_token t join session s on s.id = t.session_id where t.token_sha256 = ?`;

function toAccount(row: AccountColumns): SignInAccount {
  return {
    principal: toPrincipal(row),
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
  };
}
