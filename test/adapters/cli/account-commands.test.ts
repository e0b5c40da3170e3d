/** `partner`, `org`, `site` and `user`: tenants and people without a load file (Contract: §15, §16). */
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '#adapters/cli/program.ts';
import { PERSON } from '#adapters/http/people/people-shapes.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import type { UserId } from '#domain/ids.ts';
import { anOrganization, aPartner, aSession, aUser, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { captureOutput, commandsOn, makeCliBackend, makeCliRuntime } from './cli-fakes.ts';

let backend: MemoryBackend;

beforeEach(() => {
  backend = makeCliBackend();
});

const { run, done, refused } = commandsOn(() => backend);

const actions = () =>
  backend.auditEntries().map(({ action, actor, details }) => [action, actor.type, details.command]);

describe('org', () => {
  test('create makes a partner with the first organization, and adds the next one to it', async () => {
    expect(await done('org', 'create', '--name', 'Globex')).toMatch(
      /^created partner Globex \(.*\)\ncreated organization Globex \(.*\)\n$/,
    );
    expect(await done('org', 'create', '--name', ' Initech ')).toMatch(/^created organization Initech \(/);
    const { partners, organizations } = await backend.listTenants();
    expect(partners).toHaveLength(1);
    expect(organizations.map(({ name, partnerId }) => [name, partnerId])).toStrictEqual([
      ['Globex', partners[0]?.id],
      ['Initech', partners[0]?.id],
    ]);
    expect(actions()).toStrictEqual([
      ['partner.created', 'system', 'org create'],
      ['organization.created', 'system', 'org create'],
      ['organization.created', 'system', 'org create'],
    ]);
  });

  test('create takes a partner by id or name, and creates the partner if none has the name', async () => {
    const partner = aPartner({ name: 'Northwind MSP' });
    await loadFleet(backend, [partner]);
    await done('org', 'create', '--name', 'A', '--partner', partner.id);
    await done('org', 'create', '--name', 'B', '--partner', 'northwind msp');
    await done('org', 'create', '--name', 'C', '--partner', 'Southwind');
    const { partners, organizations } = await backend.listTenants();
    expect(partners.map(({ name }) => name)).toStrictEqual(['Northwind MSP', 'Southwind']);
    expect(organizations.map(({ name, partnerId }) => [name, partnerId === partner.id])).toStrictEqual([
      ['A', true],
      ['B', true],
      ['C', false],
    ]);
    await refused('there are 2 partners', 'org', 'create', '--name', 'D');
    await refused('there is no partner', 'org', 'create', '--name', 'D', '--partner', newId());
    await done('org', 'create', '--name', 'D', '--partner', partner.id.toUpperCase());
    expect((await backend.listTenants()).partners).toHaveLength(2);
    await refused(
      'already has an organization named "a"',
      'org',
      'create',
      '--name',
      'a',
      '--partner',
      partner.id,
    );
  });

  test('concurrent runs of create make one partner per name, and one organization per name in it', async () => {
    const create = (name: string, partner: string) =>
      runProgram(makeCliRuntime(backend, '/nowhere'), [
        'org',
        'create',
        '--name',
        name,
        '--partner',
        partner,
      ]);
    const codes: number[] = [];
    await captureOutput(async () => {
      const runs = [create('A', 'Northwind'), create('B', ' NORTHWIND'), create('a ', 'northwind')];
      codes.push(...(await Promise.all(runs)));
      return 0;
    });
    expect(codes.toSorted()).toStrictEqual([0, 0, 1]);
    const { partners, organizations } = await backend.listTenants();
    expect(partners).toHaveLength(1);
    expect(organizations).toHaveLength(2);
  });

  test.each([[''], ['  '], ['\u0085'], ['a\nb'], ['x'.repeat(201)]])(
    'create refuses the name %j',
    async (name) => {
      await refused('--name', 'org', 'create', '--name', name);
    },
  );

  test('list shows organizations with their partners, or as JSON', async () => {
    expect(await run('org', 'list')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('org create'),
    });
    await done('org', 'create', '--name', 'Globex', '--partner', 'Northwind');
    const [organization] = (await backend.listTenants()).organizations;
    const table = await done('org', 'list');
    expect(table).toContain('Globex');
    expect(table).toContain('Northwind');
    expect(JSON.parse(await done('org', 'list', '--json'))).toStrictEqual([
      { ...organization, partnerName: 'Northwind' },
    ]);
  });
});

describe('partner, org and site', () => {
  beforeEach(async () => {
    await done('partner', 'create', '--name', 'Northwind');
    await done('org', 'create', '--name', 'Globex');
  });

  test('are created and renamed by the rules of the API, and audited', async () => {
    expect(await done('site', 'create', '--org', 'Globex', '--name', ' Quay ')).toMatch(
      /^created site Quay \(/,
    );
    expect(await done('partner', 'rename', 'NORTHWIND', '--name', 'Southwind')).toMatch(
      /^renamed partner Southwind \(/,
    );
    await done('org', 'rename', 'globex', '--name', 'GLOBEX');
    await done('site', 'rename', 'quay', '--org', 'GLOBEX', '--name', 'Pier');
    const { partners, organizations } = await backend.listTenants();
    expect(partners.map(({ name }) => name)).toStrictEqual(['Southwind']);
    expect(organizations.map(({ name }) => name)).toStrictEqual(['GLOBEX']);
    expect(actions()).toStrictEqual([
      ['partner.created', 'system', 'partner create'],
      ['organization.created', 'system', 'org create'],
      ['site.created', 'system', 'site create'],
      ['partner.updated', 'system', 'partner rename'],
      ['organization.updated', 'system', 'org rename'],
      ['site.updated', 'system', 'site rename'],
    ]);
  });

  test('are listed as tables and as JSON', async () => {
    const [partner] = (await backend.listTenants()).partners;
    expect(await done('partner', 'list')).toMatch(/^ID +NAME\n\S+ +Northwind\n$/);
    expect(JSON.parse(await done('partner', 'list', '--json'))).toStrictEqual([partner]);
    expect(await run('site', 'list', '--org', 'Globex')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('site create'),
    });
    for (const name of ['b', 'A']) await done('site', 'create', '--org', 'Globex', '--name', name);
    expect(await done('site', 'list', '--org', 'Globex')).toMatch(/^ID +NAME\n\S+ +A\n\S+ +b\n$/);
    expect(JSON.parse(await done('site', 'list', '--org', 'Globex', '--json'))).toMatchObject([
      { name: 'A' },
      { name: 'b' },
    ]);
  });

  test('delete removes sites, and organizations only while they are empty', async () => {
    await done('site', 'create', '--org', 'Globex', '--name', 'Quay');
    expect(await done('site', 'delete', 'Quay', '--org', 'Globex')).toBe('deleted site Quay\n');
    await done('user', 'create', '--email', 'jo@example.com', '--org', 'Globex');
    await refused('still has devices, people or filters', 'org', 'delete', 'Globex');
    await done('org', 'create', '--name', 'Initech');
    expect(await done('org', 'delete', 'initech')).toBe('deleted organization initech\n');
    expect((await backend.listTenants()).organizations.map(({ name }) => name)).toStrictEqual(['Globex']);
    expect(actions().slice(-1)).toStrictEqual([['organization.deleted', 'system', 'org delete']]);
  });

  test('refusals name the wrong option or argument', async () => {
    await done('org', 'create', '--name', 'Initech');
    await refused('has this name', 'org', 'rename', 'Initech', '--name', ' gloBEX');
    await refused('has this name', 'partner', 'create', '--name', 'NORTHWIND');
    await refused('--name must be one line', 'site', 'create', '--org', 'Globex', '--name', 'a\nb');
    await refused('ORGANIZATION: there is no organization', 'org', 'delete', newId());
    await refused('see the names in partner list', 'partner', 'rename', 'x', '--name', 'y');
    await refused('see the names in site list', 'site', 'delete', 'x', '--org', 'Globex');
    await refused("'--org <id or name>' not specified", 'site', 'create', '--name', 'x');
  });
});

describe('--org', () => {
  test('takes a name in any case, and asks for an id if several organizations have the name', async () => {
    const partner = aPartner();
    const other = aPartner();
    const organizations = ['Globex', 'Initech', 'initech'].map((name, i) =>
      anOrganization({ partnerId: i === 2 ? other.id : partner.id, name }),
    );
    await loadFleet(backend, [partner, other, ...organizations]);
    await done('user', 'create', '--email', 'jo@example.com', '--org', 'GLOBEX');
    const [jo] = await backend.accounts.listUsers(null);
    expect(jo?.membership).toStrictEqual({ scope: 'organization', orgId: organizations[0]?.id });
    await refused('did you mean "Globex"?', 'user', 'create', '--email', 'x@example.com', '--org', 'Globx');
    const outcome = await run('user', 'create', '--email', 'x@example.com', '--org', 'initech');
    for (const { id } of organizations.slice(1)) expect(outcome.stderr).toContain(id);
  });
});

describe('user', () => {
  beforeEach(() => done('org', 'create', '--name', 'Globex'));

  const create = (...options: readonly string[]) =>
    done('user', 'create', '--email', 'jo@example.com', '--org', 'Globex', ...options);

  const account = async () => {
    const [user] = await backend.accounts.findAccounts('jo@example.com');
    if (user === undefined) throw new Error('there is no user');
    return user;
  };

  /** A live session. */
  const addSession = async (userId: UserId) => {
    const session = aSession({ userId });
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.sessions.add(session, 'token'));
    expect(await backend.sessions.listLive(userId, session.createdAt, 10)).toHaveLength(1);
    return session;
  };

  test('create makes an ordinary user of one organization, and shows the password once', async () => {
    const [organization] = (await backend.listTenants()).organizations;
    const output = await create('--name', 'Jo', '--permissions', 'users:write, devices:write');
    expect(output).toMatch(/^created organization user jo@example.com \(user .*\)\npassword: \S{20}\n/);
    expect(await account()).toStrictEqual({
      id: expect.any(String),
      email: 'jo@example.com',
      name: 'Jo',
      status: 'active',
      membership: { scope: 'organization', orgId: organization?.id },
      permissions: ['devices:write', 'users:write'],
      isPlatformAdmin: false,
      isMfaEnrolled: false,
    });
  });

  test.each<[string, readonly string[], string]>([
    ['a user without an organization', ['--email', 'jo@example.com'], 'say where the user belongs'],
    ['an email without @', ['--email', 'jo', '--org', 'Globex'], 'the email must be an email address'],
    ['an email of two lines', ['--email', 'jo@example.com\nx', '--org', 'Globex'], 'the email must'],
    ['a name that is too long', ['--email', 'jo@x', '--name', 'x'.repeat(201), '--org', 'Globex'], '--name'],
    ['an invisible name', ['--email', 'jo@example.com', '--name', '\u0085', '--org', 'Globex'], '--name'],
    [
      'a misspelled permission',
      ['--email', 'jo@example.com', '--org', 'Globex', '--permissions', 'devices:write,user:write'],
      '"user:write" permits nothing; did you mean users:write?',
    ],
  ])('create refuses %s', async (_what, options, hint) => {
    await refused(hint, 'user', 'create', ...options);
    expect(await backend.accounts.listUsers(null)).toStrictEqual([]);
  });

  test('create takes permissions of a host product', async () => {
    await create('--permissions', 'tickets:read, users:read');
    expect((await account())?.permissions).toStrictEqual(['tickets:read', 'users:read']);
  });

  test('create refuses an email that is taken', async () => {
    await create();
    await refused('already exists', 'user', 'create', '--email', 'JO@example.com', '--org', 'Globex');
  });

  test('list shows where users belong, for all users or for one organization', async () => {
    await create();
    await done('admin', 'create', '--email', 'root@example.com');
    const table = await done('user', 'list');
    expect(table).toMatch(/jo@example.com +jo@example.com +active +Globex +- +no /);
    expect(table).toMatch(/root@example.com .* everything +devices:write,users:write/);
    const listed = JSON.parse(await done('user', 'list', '--org', 'globex', '--json')) as object[];
    expect(listed).toStrictEqual([await account()]);
  });

  test('disable keeps a user out and ends the sessions; enable lets the user in again', async () => {
    await create();
    const { id } = await account();
    const session = await addSession(id);
    expect(await done('user', 'disable', 'JO@example.com')).toContain('user enable takes it back');
    expect([(await account()).status, await backend.principals.findUser(id)]).toStrictEqual([
      'disabled',
      null,
    ]);
    await refused('jo@example.com is disabled', 'user', 'disable', 'jo@example.com');
    await done('user', 'enable', 'jo@example.com');
    expect(await backend.principals.findUser(id)).toMatchObject({ userId: id });
    expect(await backend.sessions.listLive(id, session.createdAt, 10)).toStrictEqual([]);
    expect(actions().slice(-2)).toStrictEqual([
      ['user.disabled', 'system', 'user disable'],
      ['user.enabled', 'system', 'user enable'],
    ]);
  });

  test('show prints a user in the shape of the API', async () => {
    await create('--name', 'Jo');
    const { id } = await account();
    const [organization] = (await backend.listTenants()).organizations;
    const shown = JSON.parse(await done('user', 'show', 'JO@example.com'));
    expect(v.parse(v.strictObject(PERSON.entries), shown)).toStrictEqual(shown);
    expect(shown).toMatchObject({
      ...{ id, name: 'Jo', status: 'active', organization: { name: 'Globex' }, mfa: { totp: false } },
      ...{ scope: 'organization', orgId: organization?.id, partnerId: null, orgIds: null },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastSignInAt: null,
    });
  });

  test('set changes name, permissions and scope, and is audited', async () => {
    await create();
    await done('org', 'create', '--name', 'Initech');
    const { id } = await account();
    await done(
      ...['user', 'set', 'jo@example.com', '--name', ' Ada ', '--org', 'Initech'],
      ...['--permissions', 'tickets:read,users:write'],
    );
    const { organizations } = await backend.listTenants();
    const initech = organizations.find(({ name }) => name === 'Initech')?.id;
    expect(await account()).toMatchObject({
      ...{ id, name: 'Ada', permissions: ['tickets:read', 'users:write'], isPlatformAdmin: false },
      membership: { scope: 'organization', orgId: initech },
    });
    await done('user', 'set', 'jo@example.com', '--scope', 'system', '--platform-admin', '--permissions', '');
    expect(await account()).toMatchObject({
      ...{ membership: { scope: 'system' }, permissions: [], isPlatformAdmin: true },
    });
    expect(actions().at(-1)).toStrictEqual(['user.updated', 'system', 'user set']);
  });

  test('set refuses wrong options; neither set nor disable removes the last administrator', async () => {
    await create();
    await refused('say what to change', 'user', 'set', 'jo@example.com');
    await refused('--name', 'user', 'set', 'jo@example.com', '--name', ' ');
    await refused(
      'did you mean users:write?',
      'user',
      'set',
      'jo@example.com',
      '--permissions',
      'user:write',
    );
    await refused('--partner', 'user', 'set', 'jo@example.com', '--scope', 'partner');
    await done('admin', 'create', '--email', 'root@example.com');
    for (const change of [['--no-platform-admin'], ['--permissions', ''], ['--org', 'Globex']]) {
      await refused('the last active administrator', 'user', 'set', 'root@example.com', ...change);
    }
    await refused('the last active administrator', 'user', 'disable', 'root@example.com');
  });

  test('reset-mfa removes the second factor of a user, and is audited', async () => {
    const user = aUser({ email: 'sam@example.com', totpSecret: 'JBSWY3DPEHPK3PXP' });
    await loadFleet(backend, [user]);
    expect(await done('user', 'reset-mfa', 'sam@example.com')).toContain('no longer has a second factor');
    expect(await backend.principals.findUser(user.id)).toMatchObject({ isMfaEnrolled: false });
    expect(actions().at(-1)).toStrictEqual(['user.mfa_reset', 'system', 'user reset-mfa']);
    await refused('has no second factor', 'user', 'reset-mfa', 'sam@example.com');
  });

  test('enable refuses a user whose email is taken by now', async () => {
    await create();
    await done('user', 'disable', 'jo@example.com');
    await create();
    await refused('another user has the email', 'user', 'enable', 'jo@example.com');
  });

  test('reset --password sets a new password, ends the sessions and queues a mail', async () => {
    await create();
    const { id } = await account();
    const session = await addSession(id);
    const before = await backend.signIns.findById(id);
    const output = await done('user', 'reset', 'jo@example.com', '--password');
    const password = /password: (\S+)/.exec(output)?.[1];
    const after = await backend.signIns.findById(id);
    expect(after?.passwordHash).toBe(`hashed ${password}`);
    expect(after?.passwordHash).not.toBe(before?.passwordHash);
    expect(await backend.sessions.listLive(id, session.createdAt, 10)).toStrictEqual([]);
    expect(await backend.mailOutbox.list(null, 10)).toMatchObject([{ kind: 'password-changed' }]);
  });

  test('reset --mfa removes second factor and recovery codes, ends the sessions and queues a mail', async () => {
    const user = aUser({
      email: 'sam@example.com',
      membership: { scope: 'system' },
      totpSecret: 'JBSWY3DPEHPK3PXP',
    });
    await loadFleet(backend, [user]);
    const session = await addSession(user.id);
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mfa.replaceRecoveryCodes(user.id, ['one']));
    await done('user', 'reset', 'sam@example.com', '--mfa');
    const take = backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mfa.takeRecoveryCode(user.id, 'one'));
    expect(await take).toBe(false);
    expect(await backend.sessions.listLive(user.id, session.createdAt, 10)).toStrictEqual([]);
    expect(await backend.principals.findUser(user.id)).toMatchObject({ isMfaEnrolled: false, mfaEpoch: 2 });
    expect(await backend.mailOutbox.list(null, 10)).toMatchObject([{ kind: 'mfa-removed' }]);
    await refused('sam@example.com has no second factor', 'user', 'reset', 'sam@example.com', '--mfa');
  });

  test('reset names its options if none is given, and refuses an unknown user', async () => {
    await create();
    await refused('--password, --mfa, or both', 'user', 'reset', 'jo@example.com');
    await refused('there is no user with the email', 'user', 'reset', `${newId()}@example.com`, '--mfa');
  });
});
