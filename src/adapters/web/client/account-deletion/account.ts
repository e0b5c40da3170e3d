import type { Organization, OwnProvider, User } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { List } from '#console/api/pages.ts';

/** Contract: §7. */
export interface OwnRequest {
  readonly id: string;
  readonly reason: string | null;
  readonly status: 'pending' | 'processing' | 'completed' | 'cancelled';
  readonly requestedAt: string;
  readonly processBy: string;
  readonly processedAt: string | null;
  readonly processedBy: string | null;
  readonly adminNote: string | null;
}

export interface Account {
  readonly user: User;
  /** The newest request in any status. */
  readonly latest: OwnRequest | null;
  readonly belongsTo: string | null;
  /** The linked providers of a person without a password; otherwise empty. */
  readonly providers: readonly OwnProvider[];
}

export const OWN_REQUEST = '/auth/account-deletion-request';

export async function loadAccount(api: Api): Promise<Account> {
  const [user, { latest }] = await Promise.all([
    api.call<User>('/auth/me'),
    api.call<{ readonly latest: OwnRequest | null }>(OWN_REQUEST),
  ]);
  const [belongsTo, providers] = await Promise.all([nameOfOwner(api, user), providersOf(api, user)]);
  return { user, latest, belongsTo, providers };
}

/** Returns an empty list on failure, because people can still use a passkey. */
async function providersOf(api: Api, { passwordless }: User): Promise<readonly OwnProvider[]> {
  if (passwordless !== true) return [];
  const { data } = await api
    .call<List<OwnProvider>>('/auth/identity-providers')
    .catch((): List<OwnProvider> => ({ data: [] }));
  return data.filter(({ linkedAt }) => linkedAt !== null);
}

/** Null on a failure, because the page works without the name. */
async function nameOfOwner(api: Api, { orgId, partnerId }: User): Promise<string | null> {
  if (orgId === null && partnerId === null) return null;
  const { data } = await api
    .call<List<Organization>>('/organizations')
    .catch((): List<Organization> => ({ data: [] }));
  if (orgId !== null) return data.find(({ id }) => id === orgId)?.name ?? null;
  return data.find((organization) => organization.partnerId === partnerId)?.partnerName ?? null;
}
