/** `user invite|resend|withdraw|sign-out|revoke-keys`, and staff with some of a partner's organizations (Contract: §16). */
import { beforeEach, describe, expect, test } from 'vitest';
import { digestSecret, randomSecrets } from '#adapters/auth/secret-generator.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  anApiKey,
  anOrganization,
  aPartner,
  aSession,
  aUser,
  fixedClock,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { commandsOn, makeCliBackend } from './cli-fakes.ts';

const NOW = fixedClock()();
const JO = 'jo@example.com';
const northwind = aPartner({ name: 'Northwind' });
const [globex, initech] = ['Globex', 'Initech'].map((name) =>
  anOrganization({ partnerId: northwind.id, name }),
) as [ReturnType<typeof anOrganization>, ReturnType<typeof anOrganization>];
const elsewhere = aPartner({ name: 'Southwind' });
const foreign = anOrganization({ partnerId: elsewhere.id, name: 'Foreign' });

let backend: MemoryBackend;
let links: number;

beforeEach(async () => {
  backend = makeCliBackend();
  links = 0;
  await loadFleet(backend, [northwind, elsewhere, globex, initech, foreign]);
});

/** The links that commands make are `link 1`, `link 2` and so on. */
const importSecrets = async () => ({ ...randomSecrets, linkToken: () => `link ${++links}` });

const { done, refused } = commandsOn(() => backend, { importSecrets });

const accountOf = async (email: string) => (await backend.accounts.findAccounts(email))[0];
const mails = async () => (await backend.mailOutbox.list(null, 10)).map(({ kind }) => kind);
const isGood = (link: string) =>
  backend.unitOfWork(
    SYSTEM_SCOPE,
    async (tx) => (await tx.links.hold(digestSecret(link), 'invitation', NOW)) !== null,
  );
const lastEntry = () => {
  const entry = backend.auditEntries().at(-1);
  return [entry?.action, entry?.actor.type, entry?.details];
};

describe('invitations', () => {
  test('invite makes an invited person and mails a link', async () => {
    const output = await done('user', 'invite', JO, '--org', 'globex', '--permissions', 'tickets:read');
    const jo = await accountOf(JO);
    expect(output).toBe(`invited ${JO} (user ${jo?.id}); the link is in a mail to them\n`);
    expect(jo).toMatchObject({
      ...{ name: JO, status: 'invited', permissions: ['tickets:read'], isPlatformAdmin: false },
      membership: { scope: 'organization', orgId: globex.id },
    });
    expect([await mails(), await isGood('link 1')]).toStrictEqual([['invitation'], true]);
    expect(lastEntry()).toStrictEqual(['user.invited', 'system', { command: 'user invite' }]);
  });

  test('resend replaces the link', async () => {
    await done('user', 'invite', JO, '--name', 'Jo', '--scope', 'system');
    await done('user', 'resend', 'JO@example.com');
    expect([await isGood('link 1'), await isGood('link 2')]).toStrictEqual([false, true]);
    expect(lastEntry()).toStrictEqual(['user.invited', 'system', { command: 'user resend' }]);
  });

  test('withdraw removes the person and the link', async () => {
    await done('user', 'invite', JO, '--partner', 'Northwind');
    expect(await done('user', 'withdraw', JO)).toBe(`${JO} is no longer invited\n`);
    expect([await accountOf(JO), await isGood('link 1')]).toStrictEqual([undefined, false]);
    expect(lastEntry()).toStrictEqual(['user.invitation_revoked', 'system', { command: 'user withdraw' }]);
  });

  test('invite refuses what POST /users refuses, and a person without a place', async () => {
    await loadFleet(backend, [aUser({ email: JO })]);
    await refused(`another user has the email ${JO}`, 'user', 'invite', JO, '--org', 'Globex');
    await refused('the email must be an email address', 'user', 'invite', 'jo', '--org', 'Globex');
    await refused(
      '--name must not be blank',
      'user',
      'invite',
      'a@b.example',
      '--name',
      ' ',
      '--org',
      'Globex',
    );
    await refused('say where the user belongs', 'user', 'invite', 'a@b.example');
    await refused(
      'did you mean users:write?',
      ...['user', 'invite', 'a@b.example', '--org', 'Globex'],
      ...['--permissions', 'user:write'],
    );
    expect(await mails()).toStrictEqual([]);
  });

  test('resend and withdraw are only for people who are invited', async () => {
    await loadFleet(backend, [aUser({ email: JO })]);
    await refused(`${JO} is active`, 'user', 'resend', JO);
    await refused(`${JO} is active`, 'user', 'withdraw', JO);
    await refused('there is no user with the email x@example.com', 'user', 'withdraw', 'x@example.com');
    expect(await accountOf(JO)).toMatchObject({ status: 'active' });
  });
});

describe("staff with some of a partner's organizations", () => {
  const subset = (...orgIds: OrgId[]): Membership => ({
    ...{ scope: 'partner', partnerId: northwind.id },
    orgIds: orgIds.toSorted(),
  });
  const membership = async () => (await accountOf(JO))?.membership;

  test.each([
    ['user invite', ['user', 'invite', JO]],
    ['user create', ['user', 'create', '--email', JO]],
    ['admin create', ['admin', 'create', '--email', JO]],
  ])('%s takes --orgs', async (_, command) => {
    const partner = ['--partner', 'Northwind'];
    await refused('the partner has no such organization', ...command, ...partner, '--orgs', 'Globex,Foreign');
    await refused('--orgs: there is no organization', ...command, ...partner, '--orgs', 'Globx');
    await refused('--orgs needs at least one', ...command, ...partner, '--orgs', ' ,');
    await refused(
      '--orgs does not go with the scope organization',
      ...command,
      '--org',
      'Globex',
      ...['--orgs', 'Initech'],
    );
    await done(...command, ...partner, '--orgs', `globex, ${initech.id}`);
    expect(await membership()).toStrictEqual(subset(globex.id, initech.id));
  });

  test('user set narrows to --orgs and widens only with --all-orgs', async () => {
    const set = ['user', 'set', JO];
    await done('user', 'create', '--email', JO, '--partner', 'Northwind');
    await done(...set, '--orgs', 'Globex');
    expect(await membership()).toStrictEqual(subset(globex.id));
    await done(...set, '--partner', 'Northwind', '--name', 'Jo');
    expect(await membership()).toStrictEqual(subset(globex.id));
    await refused('the partner has no such organization', ...set, '--orgs', 'Foreign');
    await refused('--orgs needs at least one', ...set, '--orgs', '');
    await refused("cannot be used with option '--all-orgs'", ...set, '--orgs', 'Globex', '--all-orgs');
    await done(...set, '--all-orgs');
    expect(await membership()).toStrictEqual({ scope: 'partner', partnerId: northwind.id, orgIds: null });
  });
});

describe('sessions and keys of a user', () => {
  test('sign-out ends all sessions, and revoke-keys revokes all keys with a mail for each', async () => {
    const jo = aUser({ email: JO, permissions: ['tickets:read'] });
    await loadFleet(backend, [jo, anApiKey({ userId: jo.id }), anApiKey({ userId: jo.id })]);
    const sessions = [aSession({ userId: jo.id }), aSession({ userId: jo.id })];
    await backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      for (const session of sessions) await tx.sessions.add(session, session.id);
    });
    expect(await backend.sessions.listLive(jo.id, NOW, 10)).toHaveLength(2);
    expect(await done('user', 'sign-out', JO)).toBe(`signed ${JO} out everywhere\n`);
    expect(await backend.sessions.listLive(jo.id, NOW, 10)).toStrictEqual([]);
    expect(lastEntry()).toStrictEqual([
      'user.session_ended',
      'system',
      { command: 'user sign-out', ended: 2 },
    ]);

    expect(await backend.accounts.listApiKeys()).toHaveLength(2);
    expect(await done('user', 'revoke-keys', JO)).toBe(`revoked the API keys of ${JO}\n`);
    expect(await backend.accounts.listApiKeys()).toStrictEqual([]);
    expect(await mails()).toStrictEqual(['api-key-revoked', 'api-key-revoked']);
    expect(lastEntry()).toStrictEqual([
      'user.api_key_revoked',
      'system',
      { command: 'user revoke-keys', revoked: 2 },
    ]);
  });
});
