/**
 * Nothing is left of an erased person: every column of every table is searched for anything that was theirs
 * (Contract: §7, "Back office").
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { answerResets } from '#test/api/auth/take-mails.ts';
import { AUTH } from '#test/api/service/auth-service.ts';
import {
  type DeletionService,
  OWN,
  REQUESTS,
  requestOf,
  startDeletionService,
  type Team,
} from '#test/api/service/deletion-service.ts';
import { databaseOf, FILTERS } from '#test/api/service/service.ts';
import { makeAuthenticator } from '#test/support/auth/soft-authenticator.ts';
import { anIdentityProvider, aUser, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: DeletionService;

beforeAll(async () => {
  service = await startDeletionService();
});

afterAll(() => service.close());

/** Every row of every table as text, which holds all its columns: texts, JSON, arrays and bytes alike. */
async function findTraces(canaries: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { rows: tables } = await databaseOf(service).owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm') order by c.relname`,
  );
  const found: string[] = [];
  for (const { name: table } of tables) {
    const { rows } = await databaseOf(service).owner.query<{ column: string; value: string }>(
      `select e.key as column, e.value from ${table} t, jsonb_each_text(to_jsonb(t)) e where e.value is not null`,
    );
    for (const { column, value } of rows) {
      for (const [what, canary] of Object.entries(canaries)) {
        if (value.toLowerCase().includes(canary.toLowerCase())) found.push(`${table}.${column}: ${what}`);
      }
    }
  }
  return [...new Set(found)].toSorted();
}

/** The same for the values that the planner's statistics hold now. */
async function findSamples(canaries: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { owner } = databaseOf(service);
  const { rows } = await owner.query<{ column: string; samples: string }>(
    `select tablename || '.' || attname as column, concat(most_common_vals, histogram_bounds, most_common_elems) as samples
     from pg_stats where schemaname = 'public'`,
  );
  expect(rows.length, 'columns with statistics').toBeGreaterThan(20);
  return rows.flatMap(({ column, samples }) =>
    Object.entries(canaries)
      .filter(([, canary]) => samples.toLowerCase().includes(canary.toLowerCase()))
      .map(([what]) => `${column}: ${what}`),
  );
}

/** A person who has left something wherever a person can, and the texts to look for. */
async function liveALife(team: Team) {
  const { member: colleague, system } = team.people;
  const person: UserRecord = aUser({
    email: 'Wilhelmina.Quistgaard@Canary.Example',
    name: 'Wilhelmina Quistgaard',
    password: 'quistgaard hunter 2 canary',
    membership: { scope: 'partner', partnerId: team.p, orgIds: [team.a] },
    permissions: ['users:write'],
  });
  await loadFleet(service.composition.backend, [person]);
  const { accessToken, refreshToken } = await service.signIn(person);
  const { email, password } = person;
  await service.askFrom(
    '203.0.113.77',
    `${AUTH}/login`,
    { email, password },
    { 'User-Agent': 'Quistgaardium/5.0' },
  );
  const enroll = (token: string) =>
    service.ask('POST', `${AUTH}/mfa/enroll`, { password: person.password }, token);
  const offer = await enroll(accessToken);
  const { secret } = offer.body as { secret: string };
  const confirmed = await service.ask(
    'POST',
    `${AUTH}/mfa/enroll/confirm`,
    { code: service.nextCode(secret) },
    accessToken,
  );
  const { recoveryCodes } = confirmed.body as { recoveryCodes: readonly string[] };
  const signedIn = await service.signIn(person, service.nextCode(secret));
  const token = signedIn.accessToken;
  const keyAnswer = await service.ask('POST', `${AUTH}/api-keys`, { name: "Quistgaard's script" }, token);
  const { key } = keyAnswer.body as { key: string };
  const creation = await service.ask('POST', `${AUTH}/passkeys/options`, {}, token);
  const passkey = makeAuthenticator('http://localhost').create(creation.body as Record<string, unknown>);
  await service.ask('POST', `${AUTH}/passkeys`, { response: passkey, name: "Quistgaard's phone" }, token);
  const directory = anIdentityProvider({ owner: { kind: 'partner', partnerId: team.p } });
  const subject = 'subject-at-the-directory';
  await service.composition.backend.unitOfWork(SYSTEM_SCOPE, async ({ identityProviders }) => {
    await identityProviders.add(directory, 'hush');
    await identityProviders.link({
      ...{ providerId: directory.id, subject, userId: person.id, isMade: false },
      ...{ createdAt: service.now(), lastSignInAt: null },
    });
  });
  // An enrollment that was begun and left.
  const again = await enroll(token);
  // Sign-ins that fail, by a wrong password and by a wrong code.
  await service.ask('POST', `${AUTH}/login`, { email: person.email, password: 'not quistgaard' });
  await service.ask('POST', `${AUTH}/login`, {
    email: person.email,
    password: person.password,
    code: '000000',
  });
  const submit = async (reason: string) =>
    requestOf(await service.ask('POST', OWN, { password: person.password, reason }, token));
  const decide = (id: string, body: object) => service.by(system)('POST', `${REQUESTS}/${id}/process`, body);
  const cancelled = await submit('Wilhelmina Quistgaard wants to leave');
  await service.ask('PATCH', `${OWN}/${cancelled.id}`, { status: 'cancelled' }, token);
  const rejected = await submit('Quistgaard, once more');
  await decide(rejected.id, { action: 'reject', adminNote: 'Dear Wilhelmina Quistgaard, please stay' });
  await service.ask('POST', OWN, { password: 'quistgaard hunter wrong', reason: 'Quistgaard' }, token);
  const approved = await submit('Quistgaard means it');
  await decide(approved.id, { action: 'approve', adminNote: 'Farewell, Quistgaard' });
  await service.ask('GET', FILTERS, undefined, token);
  // An unrelated request of somebody else.
  await service.submit(colleague, 'I am leaving as well');
  const forget = () => service.askFrom('198.51.100.9', `${AUTH}/password-reset`, { email });
  await forget();
  await answerResets(service.composition);
  await forget();
  const { rows } = await databaseOf(service).owner.query<Readonly<Record<string, string>>>(
    `select u.password_hash, u.totp_secret, e.totp_secret as enrollment, k.key_sha256, t.token_sha256, r.code_sha256,
            s.id as session_id, l.token_sha256 as link, q.id as reset_request
     from app_user u, mfa_enrollment e, api_key k, session s, refresh_token t, recovery_code r, account_link l,
       password_reset_request q
     where l.user_id = u.id and q.user_id = u.id and u.id = $1 and e.user_id = u.id and k.user_id = u.id and s.user_id = u.id and t.session_id = s.id
       and r.user_id = u.id limit 1`,
    [person.id],
  );
  expect(again.status, 'a second enrollment was begun').toBe(200);
  return {
    person,
    request: approved,
    canaries: {
      'the name': 'quistgaard',
      'the first name': 'wilhelmina',
      'the email': 'canary.example',
      'the password': 'hunter 2',
      'the network': '203.0.113.0/24',
      'the browser': 'quistgaardium',
      'the API key': key,
      'the access token': token,
      'the refresh token': refreshToken,
      'the TOTP secret': secret,
      'a recovery code': recoveryCodes[0] ?? '',
      'the passkey': String(passkey['id']),
      'the account at a provider': subject,
      ...Object.fromEntries(Object.entries(rows[0] ?? {}).map(([what, value]) => [`stored ${what}`, value])),
    },
  };
}

describe('a person who has left traces everywhere', () => {
  test('is found in every place before, only in the last mail once erased, and nowhere once that is sent', async () => {
    const team = await service.newTeam();
    const { person, request, canaries } = await liveALife(team);
    // If one of these were not found, the search would prove nothing about it.
    expect(await findTraces(canaries)).toStrictEqual([
      'account_deletion_request.admin_note: the first name',
      'account_deletion_request.admin_note: the name',
      'account_deletion_request.reason: the first name',
      'account_deletion_request.reason: the name',
      'account_link.token_sha256: stored link',
      'api_key.key_sha256: stored key_sha256',
      'api_key.name: the name',
      'app_user.email: the email',
      'app_user.email: the first name',
      'app_user.email: the name',
      'app_user.email_lc: the email',
      'app_user.email_lc: the first name',
      'app_user.email_lc: the name',
      'app_user.name: the first name',
      'app_user.name: the name',
      'app_user.password_hash: stored password_hash',
      'app_user.totp_secret: stored totp_secret',
      'federated_identity.subject: the account at a provider',
      'mail_outbox.email: the email',
      'mail_outbox.email: the first name',
      'mail_outbox.email: the name',
      'mail_outbox.facts: the email',
      'mail_outbox.facts: the first name',
      'mail_outbox.facts: the name',
      'mail_outbox.name: the first name',
      'mail_outbox.name: the name',
      'mfa_enrollment.totp_secret: stored enrollment',
      'own_network.network: the network',
      'passkey.credential_id: the passkey',
      'passkey.name: the name',
      'password_reset_request.id: stored reset_request',
      'recovery_code.code_sha256: stored code_sha256',
      'refresh_token.session_id: stored session_id',
      'refresh_token.token_sha256: stored token_sha256',
      'session.id: stored session_id',
      'session.user_agent: the browser',
      'session.user_agent: the name',
    ]);
    service.pass((Date.parse(request.processBy) - service.now()) / 1000);
    expect(await service.composition.completeDeletions()).toStrictEqual({ completed: 1, failed: 0 });
    expect(await findTraces(canaries)).toStrictEqual([
      'mail_outbox.email: the email',
      'mail_outbox.email: the first name',
      'mail_outbox.email: the name',
      'mail_outbox.name: the first name',
      'mail_outbox.name: the name',
    ]);
    const { rows } = await databaseOf(service).owner.query(
      `select kind, user_id from mail_outbox where email ilike '%quistgaard%'`,
    );
    expect(rows).toStrictEqual([{ kind: 'deletion-completed', user_id: person.id }]);
    await sendEverything();
    expect(await findTraces(canaries)).toStrictEqual([]);
  });
});

test("the planner's statistics hold nothing of a person, neither before nor after the erasure", async () => {
  const team = await service.newTeam();
  const { request, canaries } = await liveALife(team);
  // Ids of sessions are random, and end with the session.
  const personal = Object.fromEntries(
    Object.entries(canaries).filter(([what]) => what !== 'stored session_id'),
  );
  await databaseOf(service).owner.query('analyze');
  expect(await findSamples({ 'a permission': 'users:write' })).toStrictEqual([
    'app_user.permissions: a permission',
  ]);
  expect(await findSamples(personal)).toStrictEqual([]);
  service.pass((Date.parse(request.processBy) - service.now()) / 1000);
  await service.composition.completeDeletions();
  expect(await findSamples(personal)).toStrictEqual([]);
});

test('the row that stays says where the person belonged, and nothing else', async () => {
  const team = await service.newTeam();
  const { people } = team;
  const before = await rowOf(people['partner in A']);
  const { id } = await service.submit(people['partner in A']);
  await service.by(people.partner)('POST', `${REQUESTS}/${id}/process`, { action: 'approve' });
  service.pass(720 * 3600);
  await service.composition.completeDeletions();
  expect(await rowOf(people['partner in A'])).toStrictEqual({
    id: people['partner in A'].id,
    email: '',
    email_lc: '',
    name: '',
    password_hash: null,
    password_epoch: before.password_epoch,
    scope: 'partner',
    org_id: null,
    partner_id: team.p,
    has_org_subset: true,
    permissions: [],
    is_platform_admin: false,
    totp_secret: null,
    last_totp_step: null,
    status: 'deleted',
    auth_epoch: Number(before.auth_epoch) + 1,
    mfa_epoch: Number(before.mfa_epoch) + 1,
    created_at: before.created_at,
    updated_at: new Date(service.now()),
  });
  const { rows: organizations } = await databaseOf(service).owner.query(
    'select * from app_user_organization where user_id = $1',
    [people['partner in A'].id],
  );
  expect(organizations).toStrictEqual([]);
});

test('two erased people do not conflict, and their emails are free again', async () => {
  const team = await service.newTeam();
  const pair = [await service.addMember(team), await service.addMember(team)];
  for (const user of pair) {
    const { id } = await service.submit(user);
    await service.by(team.people.admin)('POST', `${REQUESTS}/${id}/process`, { action: 'approve' });
  }
  service.pass(720 * 3600);
  expect((await service.composition.completeDeletions()).completed).toBeGreaterThanOrEqual(2);
  const next = await service.addMember(team, { email: pair[0]?.email ?? '', totpSecret: null });
  expect((await service.signIn(next)).user).toMatchObject({ id: next.id });
});

async function rowOf({ id }: UserRecord): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await databaseOf(service).owner.query('select * from app_user where id = $1', [id]);
  return rows[0];
}

async function sendEverything(): Promise<void> {
  const { mailOutbox } = service.composition.backend;
  const claim = () => mailOutbox.claim(service.now(), 60_000);
  for (let claimed = await claim(); claimed !== null; claimed = await claim()) {
    await mailOutbox.settle(claimed, { status: 'sent', at: service.now() });
  }
}
