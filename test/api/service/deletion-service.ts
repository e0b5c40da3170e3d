/** The whole service with people who can ask for the deletion of their accounts, and others who decide. */
import type { Composition, Parts } from 'fleetsift';
import { makeIssueAccessToken } from '#adapters/auth/issue-access-token.ts';
import { otpauthTotp } from '#adapters/auth/otpauth-totp.ts';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { anOrganization, aPartner, aUser, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { type Answer, askApp } from './ask-app.ts';
import { type AuthService, QUICK_PASSWORDS, startAuthService } from './auth-service.ts';
import type { Ask } from './service.ts';

export const OWN = '/api/v1/auth/account-deletion-request';
export const REQUESTS = '/api/v1/admin/account-deletion-requests';
export const AUDIT_LOG = '/api/v1/admin/audit-log';
export const PASSWORD = 'correct horse battery staple';

export interface RequestBody {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string | null;
  readonly reason: string | null;
  readonly status: string;
  readonly requestedAt: string;
  readonly processBy: string;
  readonly processedAt: string | null;
  readonly processedBy: string | null;
  readonly adminNote: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type MemberName =
  | 'member'
  | 'admin'
  | 'admin of B'
  | 'partner'
  | 'partner in A'
  | 'partner in none'
  | 'other partner'
  | 'system';

/** Partners P (with A and B) and Q. All have a second factor, and all but `member` hold users:write. */
export interface Team {
  readonly p: PartnerId;
  readonly a: OrgId;
  readonly b: OrgId;
  readonly people: Readonly<Record<MemberName, UserRecord>>;
}

export type Instance = Pick<Composition, 'app'>;

export interface DeletionService extends AuthService {
  newTeam(): Promise<Team>;
  /** Asks as that person, signed in with MFA verified so many seconds ago, or never for null. */
  by(user: Pick<UserRecord, 'id'>, mfaAgeSeconds?: number | null, through?: Instance): Ask;
  /** Another instance of the service on the same store; close it in the end. */
  startInstance(): Promise<Composition>;
  submit(user: Pick<UserRecord, 'id'>, reason?: string): Promise<RequestBody>;
  decide(by: UserRecord, requestId: string, body: object, mfaAgeSeconds?: number | null): Promise<Answer>;
  /** The audit log entries of a person's actions, oldest first. */
  recordedOf(team: Team, user: UserRecord): Promise<readonly EntryBody[]>;
  /** The ids of users for whom a mail of this kind about the request is queued. */
  mailedTo(requestId: string, kind: string): Promise<readonly string[]>;
  /** Adds a user, by default to organization A. */
  addMember(team: Team, given?: Partial<UserRecord>): Promise<UserRecord>;
}

export async function startDeletionService(overrides: Partial<Parts> = {}): Promise<DeletionService> {
  const service = await startAuthService(overrides);
  const { composition, now } = service;
  const issue = makeIssueAccessToken({
    keys: composition.tokenKeys,
    clock: now,
    newId: composition.newId,
    lifetimeMs: composition.tokenKeys.tokenLifetimeMs,
  });

  const by: DeletionService['by'] =
    ({ id: userId }, mfaAgeSeconds = 60, through = composition) =>
    async (method, path, body, headers) => {
      const mfa = mfaAgeSeconds === null ? null : { verifiedAt: now() - mfaAgeSeconds * 1_000, epoch: 1 };
      const { token } = await issue({ userId, sessionId: newId(), authEpoch: 1, mfa });
      return askApp(through, method, path, body, { Authorization: `Bearer ${token}`, ...headers });
    };

  return {
    ...service,
    by,
    startInstance: () =>
      service.store.compose(
        { filterTimeoutMs: 10_000, searchTimeoutMs: 10_000 },
        { clock: now, ...QUICK_PASSWORDS, ...overrides },
      ),
    newTeam: async () => {
      const [p, q] = [aPartner(), aPartner()];
      const a = anOrganization({ partnerId: p.id, name: 'A' });
      const b = anOrganization({ partnerId: p.id, name: 'B' });
      const person = (membership: Membership, permissions: readonly string[] = ['users:write']) =>
        aUser({ membership, permissions, totpSecret: otpauthTotp.newSecret() });
      const people = {
        member: person({ scope: 'organization', orgId: a.id }, []),
        admin: person({ scope: 'organization', orgId: a.id }),
        'admin of B': person({ scope: 'organization', orgId: b.id }),
        partner: person({ scope: 'partner', partnerId: p.id, orgIds: null }),
        'partner in A': person({ scope: 'partner', partnerId: p.id, orgIds: [a.id] }),
        'partner in none': person({ scope: 'partner', partnerId: p.id, orgIds: [] }),
        'other partner': person({ scope: 'partner', partnerId: q.id, orgIds: null }),
        system: person({ scope: 'system' }),
      };
      await loadFleet(composition.backend, [p, q, a, b, ...Object.values(people)]);
      return { p: p.id, a: a.id, b: b.id, people };
    },
    submit: async (user, reason) => requestOf(await by(user)('POST', OWN, { password: PASSWORD, reason })),
    decide: (user, requestId, body, mfaAgeSeconds) =>
      by(user, mfaAgeSeconds)('POST', `${REQUESTS}/${requestId}/process`, body),
    recordedOf: async ({ people }, { id }) =>
      auditOf(await by(people.system)('GET', `${AUDIT_LOG}?actorId=${id}&limit=200`)).data.toReversed(),
    mailedTo: async (requestId, kind) => {
      const mails = await service.probe.mailsAbout(requestId);
      return mails.filter((mail) => mail.kind === kind).map(({ userId }) => userId);
    },
    addMember: async (team, given = {}) => {
      const membership = { scope: 'organization', orgId: team.a } as const;
      const user = aUser({ membership, totpSecret: otpauthTotp.newSecret(), ...given });
      await loadFleet(composition.backend, [user]);
      return user;
    },
  };
}

export function requestOf({ status, text, body }: Answer): RequestBody {
  if (status !== 200 && status !== 201) throw new Error(`no request was answered: ${status} ${text}`);
  return body as RequestBody;
}

export interface RequestPage {
  readonly data: readonly (RequestBody & {
    readonly user: { readonly id: string; readonly email: string | null; readonly name: string | null };
    readonly overdue: boolean;
  })[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export function pageOf({ status, text, body }: Answer): RequestPage {
  if (status !== 200) throw new Error(`no page was answered: ${status} ${text}`);
  return body as RequestPage;
}

export interface EntryBody {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly type: string; readonly id: string | null; readonly name: string | null };
  readonly orgId: string | null;
  readonly resourceName: string | null;
  readonly action: string;
  readonly result: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly ip: string | null;
}

export interface AuditPageBody {
  readonly data: readonly EntryBody[];
  readonly nextCursor: string | null;
}

export function auditOf({ status, text, body }: Answer): AuditPageBody {
  if (status !== 200) throw new Error(`no audit log was answered: ${status} ${text}`);
  return body as AuditPageBody;
}
