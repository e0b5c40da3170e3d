/** Access of users and API keys, in system scope, because no tenant is known yet. */
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { PrincipalStore } from '#application/ports/auth/stores/principal-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { ApiKeyId, OrgId } from '#domain/ids.ts';
import { IS_ACTIVE, PRINCIPAL_COLUMNS, type PrincipalColumns, toPrincipal } from './principal-row.ts';

/** Raw, because every authenticated request runs this: one statement, no entities. */
export function makePrincipalStore(orm: Orm): PrincipalStore {
  const query = <T>(sql: string, parameter: string) =>
    orm.withScope(SYSTEM_SCOPE, (em) => em.execute<T[]>(sql, [parameter]));
  return {
    findUser: async (userId) => {
      const [row] = await query<PrincipalColumns>(`${SELECT_USER} where u.id = ? and ${IS_ACTIVE}`, userId);
      return row === undefined ? null : toPrincipal(row);
    },
    findApiKey: async (keySha256) => {
      const [row] = await query<PrincipalColumns & KeyColumns>(
        `${SELECT_KEY} where k.key_sha256 = ? and ${IS_ACTIVE}`,
        keySha256,
      );
      if (row === undefined) return null;
      return {
        user: toPrincipal(row),
        grant: {
          id: row.key_id as ApiKeyId,
          orgId: row.key_org_id as OrgId | null,
          permissions: new Set(row.key_permissions),
          expiresAt: row.expires_at === null ? null : Number(row.expires_at),
          isRevoked: row.is_revoked,
        },
      };
    },
  };
}

interface KeyColumns {
  readonly key_id: string;
  readonly key_org_id: string | null;
  readonly key_permissions: readonly string[];
  readonly expires_at: string | null;
  readonly is_revoked: boolean;
}

const SELECT_USER = `select ${PRINCIPAL_COLUMNS} from app_user u`;

const SELECT_KEY = `
  select ${PRINCIPAL_COLUMNS}, k.id as key_id, k.org_id as key_org_id, k.permissions as key_permissions,
    extract(epoch from k.expires_at) * 1000 as expires_at, k.revoked_at is not null as is_revoked
  from api_key k join app_user u on u.id = k.user_id`;
