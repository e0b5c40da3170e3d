/** Commands of the operator, run on a backend in memory: what they refuse, and what they audit. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { runProgram } from '#adapters/cli/program.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import type { ResealSecrets } from '#application/ports/auth/reseal-secrets.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import {
  anApiKey,
  anInventory,
  anOrganization,
  aSite,
  aUser,
  newId,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { aMail } from '#test/support/mail/mails.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { captureOutput, makeCliBackend, makeCliRuntime } from './cli-fakes.ts';

const KEY = `fsk_${'k'.repeat(43)}`;
const ENROLMENT_KEY = `fse_${'k'.repeat(43)}`;

let backend: MemoryBackend;
let tenant: Tenant;
let directory: string;
/** The number of audit entries before the commands of a test. */
let known: number;
let resealed: Awaited<ReturnType<ResealSecrets>>;
/** What each imported file contains. */
let inventory: DeviceInventory;

beforeEach(async () => {
  backend = makeCliBackend();
  tenant = await createTenant(backend);
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-cli-'));
  resealed = { resealed: 2, unreadable: 0 };
  inventory = anInventory();
  known = backend.auditEntries().length;
});

afterEach(() => rm(directory, { recursive: true }));

const run = (...args: readonly string[]) => captureOutput(() => runProgram(runtime(), args));

function runtime(): CliRuntime {
  return makeCliRuntime(backend, directory, {
    service: {
      resealSecrets: async ({ makeEntry, onProgress }) => {
        onProgress(resealed.resealed);
        const entry = await makeEntry();
        if (resealed.resealed > 0 && entry !== null) await backend.auditLog(entry);
        return resealed;
      },
    },
    importLoadFiles: async () => {
      const { LoadFileError } = await import('#adapters/load/fault-list.ts');
      const { printRecord } = await import('#adapters/load/print-record.ts');
      return { ...(await import('#adapters/load/read-load-file.ts')), LoadFileError, printRecord };
    },
    importInventories: async () => ({ readInventory: () => ({ ok: true, value: inventory }) }),
    importSecrets: async () => ({ ...randomSecrets, apiKey: () => KEY, enrolmentKey: () => ENROLMENT_KEY }),
    makeOpenApiDocument: async () => ({ openapi: '3.1.1' }),
  });
}

/** The audit entries of the commands of a test. */
const entries = () =>
  backend
    .auditEntries()
    .slice(known)
    .map(({ actor, action, result, resourceType, resourceId, orgId, partnerId, details }) => ({
      actor: actor.type,
      action,
      result,
      resourceType,
      resourceId,
      orgId,
      partnerId,
      details,
    }));

const COMMON = { actor: 'system', result: 'success', orgId: null, partnerId: null };

async function addUser(given: Partial<UserRecord>): Promise<UserRecord> {
  const user = aUser(given);
  await loadFleet(backend, [user]);
  return user;
}

describe('keys of other people', () => {
  test('are listed, for all users or for one', async () => {
    const [jo, sam] = [
      await addUser({ email: 'jo@example.com', membership: { scope: 'organization', orgId: tenant.orgId } }),
      await addUser({ email: 'sam@example.com' }),
    ];
    const narrowed = anApiKey({ userId: jo.id, name: 'of Jo', orgId: tenant.orgId, permissions: ['x:y'] });
    await loadFleet(backend, [narrowed, anApiKey({ userId: sam.id, name: 'of Sam' })]);
    const all = await run('key', 'list');
    expect(all.stdout).toMatch(/^ID +USER +NAME +ORGANIZATION +PERMISSIONS +CREATED +EXPIRES$/m);
    expect(all.stdout).toMatch(new RegExp(`^${narrowed.id}  jo@example.com +of Jo +\\S.* x:y `, 'm'));
    expect(all.stdout).toContain('of Sam');
    const { stdout } = await run('key', 'list', '--email', 'JO@example.com', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ id: narrowed.id, name: 'of Jo', user: { id: jo.id } }]);
    expect(await run('key', 'list', '--email', 'gone@example.com')).toMatchObject({ code: 1, stdout: '' });
  });

  test('are revoked and audited, and their user gets a mail', async () => {
    const user = await addUser({ membership: { scope: 'organization', orgId: tenant.orgId } });
    const key = anApiKey({ userId: user.id, name: 'Jo’s script' });
    await loadFleet(backend, [key]);
    expect(await run('key', 'revoke', key.id)).toMatchObject({ code: 0, stdout: `revoked ${key.id}\n` });
    expect(await backend.apiKeys.list(user.id)).toStrictEqual([]);
    expect(entries()).toStrictEqual([
      {
        ...COMMON,
        action: 'user.api_key_revoked',
        resourceType: 'user',
        resourceId: user.id,
        orgId: tenant.orgId,
        details: { command: 'key revoke', apiKeyId: key.id },
      },
    ]);
    const mails = await backend.mailOutbox.list('queued', 10);
    expect(mails).toMatchObject([{ kind: 'api-key-revoked', userId: user.id }]);
    for (const id of [key.id, newId(), 'x']) {
      expect(await run('key', 'revoke', id)).toMatchObject({
        code: 1,
        stderr: `there is no API key ${id}; see key list\n`,
      });
    }
    expect(entries()).toHaveLength(1);
  });
});

test.each([
  [['serv'], 'serve'],
  [['key', 'creat'], 'create'],
  [['enrolment-key', 'revok'], 'revoke'],
  [['partner', 'maintenance', 'onn'], 'on'],
  [['load', '--chek', 'x'], '--check'],
  [['user', 'create', '--permision', 'x'], '--permissions'],
  [['key', 'create', '--emial', 'x'], '--email'],
  [['device', 'set', '--add-tags', 'x'], '--add-tag'],
  [['export', '--fild', 'x'], '--fields'],
])('fleetsift %j is refused, and %s is proposed', (args, meant) => {
  const program = `
    const { runProgram } = await import(${JSON.stringify(import.meta.resolve('#adapters/cli/program.ts'))});
    await runProgram({ announce: (_level, text) => console.error(text) }, ${JSON.stringify(args)});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`(Did you mean ${meant}?)`);
  expect(stderr).toContain('(run with --help for usage)');
});

describe('key create', () => {
  const addHolder = (permissions: readonly string[] = ['filters:read']) =>
    addUser({ membership: { scope: 'organization', orgId: tenant.orgId }, permissions });

  test('creates a key within the permissions of its user, audited without name and key', async () => {
    const { id: userId, email } = await addHolder();
    const options = ['--org', tenant.orgId, '--permissions', 'filters:read', '--expires', '2030-01-01'];
    const outcome = await run('key', 'create', '--email', email, '--name', 'Jo’s script', ...options);
    expect(outcome).toMatchObject({ code: 0, stdout: `${KEY}\n` });
    const [key] = await backend.apiKeys.list(userId);
    expect(key).toMatchObject({ name: 'Jo’s script', orgId: tenant.orgId, permissions: ['filters:read'] });
    expect(entries()).toStrictEqual([
      {
        ...COMMON,
        action: 'auth.api_key.created',
        resourceType: 'api_key',
        resourceId: key?.id,
        orgId: tenant.orgId,
        details: { command: 'key create', userId, permissions: ['filters:read'] },
      },
    ]);
  });

  test.each<[string, readonly string[], string]>([
    ['a permission that the user lacks', ['--permissions', 'users:write'], '--permissions'],
    ['an organization that does not exist', ['--org', newId()], '--org'],
    ['a malformed organization', ['--org', 'x'], '--org'],
    ['an expiry that has passed', ['--expires', new Date(SOME_INSTANT).toISOString()], '--expires'],
    ['an expiry that is no date', ['--expires', 'tomorrow'], '--expires'],
    ['an empty name', ['--name', '  '], '--name'],
    ['a name that is too long', ['--name', 'x'.repeat(201)], '--name'],
  ])('refuses %s, names the option, and creates nothing', async (_what, options, named) => {
    const { id, email } = await addHolder();
    const outcome = await run('key', 'create', '--email', email, ...options);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain(named);
    expect(await backend.apiKeys.list(id)).toStrictEqual([]);
    expect(entries()).toStrictEqual([]);
  });

  test('proposes the right spelling of a misspelled permission', async () => {
    const { email } = await addHolder(['devices:write']);
    expect(await run('key', 'create', '--email', email, '--permissions', 'devices:wirte')).toMatchObject({
      code: 1,
      stderr: '--permissions: "devices:wirte" permits nothing; did you mean devices:write?\n',
    });
  });

  test('refuses an organization that the user does not reach', async () => {
    const other = await createTenant(backend);
    const { email } = await addHolder();
    const outcome = await run('key', 'create', '--email', email, '--org', other.orgId);
    expect(outcome).toMatchObject({
      code: 1,
      stderr: '--org must be an organization that the user reaches\n',
    });
  });

  test('names every fault at once', async () => {
    const { email } = await addHolder();
    const { stderr } = await run('key', 'create', '--email', email, '--name', '', '--expires', 'x');
    expect(stderr).toContain('--name');
    expect(stderr).toContain('--expires');
  });

  test('refuses an organization that does not exist, even for a user of system scope', async () => {
    const { email } = await addUser({ membership: { scope: 'system' } });
    const outcome = await run('key', 'create', '--email', email, '--org', newId());
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('--org: there is no organization with the id or name');
  });
});

describe('enrolment-key', () => {
  const create = (...options: readonly string[]) => run('enrolment-key', 'create', ...options);
  const keys = () => backend.enrolmentKeys.list(orgScope(tenant.orgId));

  test('create prints the line to run, and is audited without name and key', async () => {
    const site = aSite({ orgId: tenant.orgId, name: 'Plant 2' });
    await loadFleet(backend, [site]);
    known = backend.auditEntries().length;
    const outcome = await create(
      '--org',
      ` contoso ${tenant.orgId}`,
      '--site',
      'PLANT 2',
      '--name',
      'Jo',
      '--expires',
      '2030-01-01',
    );
    expect(outcome).toMatchObject({
      code: 0,
      stdout: `glpi-agent --server https://any:${ENROLMENT_KEY}@fleet.example.com/inventory\n`,
    });
    const [key] = await keys();
    expect(key).toMatchObject({ orgId: tenant.orgId, siteId: site.id, name: 'Jo', createdAt: SOME_INSTANT });
    expect(outcome.stderr).not.toContain('BASE_URL');
    expect(await backend.findEnrolmentKey(randomSecrets.digest(ENROLMENT_KEY))).toStrictEqual(key);
    expect(entries()).toStrictEqual([
      {
        ...COMMON,
        action: 'enrolment_key.created',
        resourceType: 'enrolment_key',
        resourceId: key?.id,
        orgId: tenant.orgId,
        details: { command: 'enrolment-key create', siteId: site.id },
      },
    ]);
  });

  test.each<[string, () => readonly string[], string]>([
    ['an unknown organization', () => ['--org', 'Nobody'], '--org: there is no organization'],
    ['an unknown id', () => ['--org', newId()], '--org: there is no organization'],
    ['an unknown site', () => ['--org', tenant.orgId, '--site', 'x'], '--site: there is no site'],
    ['an empty name', () => ['--org', tenant.orgId, '--name', ' '], '--name must not be blank'],
    [
      'an expiry that has passed',
      () => ['--org', tenant.orgId, '--expires', '2020-01-01'],
      '--expires must be',
    ],
  ])('create refuses %s, and creates nothing', async (_what, options, hint) => {
    const outcome = await create(...options());
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain(hint);
    expect(await keys()).toStrictEqual([]);
    expect(entries()).toStrictEqual([]);
  });

  test('create asks for the id if several organizations have the name', async () => {
    const other = await createTenant(backend);
    await loadFleet(backend, [
      anOrganization({ id: tenant.orgId, partnerId: tenant.partnerId, name: 'Contoso' }),
      anOrganization({ id: other.orgId, partnerId: other.partnerId, name: 'contoso' }),
    ]);
    const { stderr } = await create('--org', 'Contoso');
    expect(stderr).toContain(tenant.orgId);
    expect(stderr).toContain(other.orgId);
  });

  test('list shows the keys; revoke removes one and is audited', async () => {
    expect(await run('enrolment-key', 'list')).toMatchObject({ code: 0, stderr: 'no enrolment keys\n' });
    await create('--org', tenant.orgId, '--name', 'Laptops');
    const [key] = await keys();
    const listed = await run('enrolment-key', 'list', '--org', tenant.orgId, '--json');
    expect(JSON.parse(listed.stdout)).toStrictEqual([
      { ...key, expiresAt: null, createdAt: new Date(SOME_INSTANT).toISOString() },
    ]);
    expect((await run('enrolment-key', 'list')).stdout).toMatch(/^ID .*\n.*Contoso .*Laptops/s);
    known = backend.auditEntries().length;
    expect(await run('enrolment-key', 'revoke', key?.id ?? '')).toMatchObject({ code: 0 });
    expect(await keys()).toStrictEqual([]);
    const again = await run('enrolment-key', 'revoke', key?.id ?? '');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no enrolment key') });
    expect(entries()).toMatchObject([
      { action: 'enrolment_key.revoked', resourceId: key?.id, details: { command: 'enrolment-key revoke' } },
    ]);
  });
});

describe('admin create', () => {
  const create = (...options: readonly string[]) =>
    run('admin', 'create', '--email', 'admin@example.com', ...options);

  const created = async () => {
    const userId = await backend.accounts.findUserByEmail('admin@example.com');
    return userId === null ? null : backend.principals.findUser(userId);
  };

  test.each([
    ['--org alone', () => ['--org', tenant.orgId], 'organization'],
    ['--org with its scope', () => ['--org', tenant.orgId, '--scope', 'organization'], 'organization'],
    ['--partner alone', () => ['--partner', tenant.partnerId], 'partner'],
    ['--partner with its scope', () => ['--partner', tenant.partnerId, '--scope', 'partner'], 'partner'],
    ['no option', () => [], 'system'],
    ['--scope system', () => ['--scope', 'system'], 'system'],
  ])(
    'with %s makes an administrator of exactly that scope, and is audited',
    async (_what, options, scope) => {
      expect((await create(...options())).code).toBe(0);
      const user = await created();
      expect(user).toMatchObject({ scope: { kind: scope }, isPlatformAdmin: scope === 'system' });
      expect(entries()).toStrictEqual([
        {
          ...COMMON,
          action: 'user.created',
          resourceType: 'user',
          resourceId: user?.userId,
          orgId: scope === 'organization' ? tenant.orgId : null,
          partnerId: scope === 'partner' ? tenant.partnerId : null,
          details: { command: 'admin create', scope },
        },
      ]);
    },
  );

  test.each([
    ['--org with --scope system', () => ['--org', tenant.orgId, '--scope', 'system'], '--org does not go'],
    ['--org with --scope partner', () => ['--org', tenant.orgId, '--scope', 'partner'], '--org does not go'],
    [
      '--partner with --scope system',
      () => ['--partner', tenant.partnerId, '--scope', 'system'],
      '--partner does not go with the scope system',
    ],
    [
      '--partner with --scope organization',
      () => ['--partner', tenant.partnerId, '--scope', 'organization'],
      '--partner does not go with the scope organization',
    ],
    ['both ids', () => ['--partner', tenant.partnerId, '--org', tenant.orgId], '--partner does not go'],
    ['--orgs alone', () => ['--orgs', tenant.orgId], '--orgs does not go with the scope system'],
    ['--scope organization alone', () => ['--scope', 'organization'], '--org is required'],
    ['--scope partner alone', () => ['--scope', 'partner'], '--partner is required'],
    ['an unknown --org', () => ['--org', 'x'], '--org: there is no organization with the id or name "x"'],
  ])('with %s is refused, and creates nobody', async (_what, options, hint) => {
    const outcome = await create(...options());
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(hint);
    expect(await created()).toBeNull();
    expect(entries()).toStrictEqual([]);
  });
});

describe('operator commands', () => {
  test('load is audited with what was loaded', async () => {
    const file = join(directory, 'fleet.json');
    await writeFile(file, JSON.stringify({ partners: [{ id: newId(), name: 'P' }] }));
    expect((await run('load', file)).code).toBe(0);
    expect(entries()).toStrictEqual([
      {
        ...COMMON,
        action: 'fleet.load',
        resourceType: 'fleet',
        resourceId: null,
        details: { command: 'load', partner: 1 },
      },
    ]);
  });

  test('import is audited, with whether it created the device', async () => {
    const file = join(directory, 'inventory.json');
    await writeFile(file, '{}');
    expect((await run('import', '--org', tenant.orgId, file)).code).toBe(0);
    expect(entries()).toMatchObject([
      {
        ...COMMON,
        action: 'fleet.import',
        resourceType: 'device',
        orgId: tenant.orgId,
        details: { command: 'import', created: true },
      },
    ]);
  });

  test('mail list --json prints the mails for scripts', async () => {
    expect((await run('mail', 'list', '--json')).stdout).toBe('[]\n');
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mail(aMail()));
    const [mail] = await backend.mailOutbox.list(null, 1);
    const queuedAt = new Date(mail?.queuedAt ?? Number.NaN).toISOString();
    const { code, stdout } = await run('mail', 'list', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      [{ id: mail?.id, status: 'queued', email: mail?.email, queuedAt, settledAt: null }],
    ]);
  });

  test('mail retry is audited, for one mail and for all failed ones', async () => {
    const failOne = async () => {
      const claimed = await backend.mailOutbox.claim(SOME_INSTANT, 1);
      if (claimed === null) throw new Error('no mail is due');
      await backend.mailOutbox.settle(claimed, { status: 'failed', at: SOME_INSTANT, problem: '550' });
      return claimed.id;
    };
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mail(aMail()));
    const id = await failOne();
    expect((await run('mail', 'retry', id)).code).toBe(0);
    await failOne();
    expect((await run('mail', 'retry', '--all-failed')).code).toBe(0);
    expect((await run('mail', 'retry', '--all-failed')).code).toBe(0);
    const facts = { ...COMMON, action: 'mail.retried', resourceType: 'mail' };
    expect(entries()).toStrictEqual([
      { ...facts, resourceId: id, details: { command: 'mail retry' } },
      { ...facts, resourceId: null, details: { command: 'mail retry', mails: 1 } },
    ]);
  });

  test('secrets reseal is audited', async () => {
    expect(await run('secrets', 'reseal')).toMatchObject({ code: 0, stdout: '2 secrets resealed\n' });
    expect(entries()).toMatchObject([
      { ...COMMON, action: 'secrets.resealed', details: { command: 'secrets reseal' } },
    ]);
  });
});

test('openapi prints the document, and is not audited', async () => {
  expect(await run('openapi')).toMatchObject({ code: 0, stdout: '{\n  "openapi": "3.1.1"\n}\n' });
  expect(entries()).toStrictEqual([]);
});

test('a command ends silently when the reader of its output closes the pipe', async () => {
  const command = '"$0" src/main.ts openapi | head -c 1';
  const piped = promisify(execFile)('sh', ['-c', command, process.execPath], { env: {} });
  expect(await piped).toStrictEqual({ stdout: '{', stderr: '' });
});

describe('standard output that cannot be written', () => {
  /** What the command says and returns when each of its writes fails, as with a closed pipe or a full disk. */
  async function runWithout(code: string) {
    const error = Object.assign(new Error(`${code}: no more`), { code });
    vi.spyOn(process.stdout, 'write').mockImplementation(() => {
      process.nextTick(() => process.stdout.emit('error', error));
      return true;
    });
    const said: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    return { exitCode: await runProgram(runtime(), ['org', 'list']), said: said.join('') };
  }

  test('ends a command silently if the reader has closed the pipe', async () => {
    expect(await runWithout('EPIPE')).toStrictEqual({ exitCode: 141, said: '' });
  });

  test('makes a command fail with a message if the disk is full', async () => {
    const { exitCode, said } = await runWithout('ENOSPC');
    expect(exitCode).toBe(1);
    expect(said).toBe(
      'standard output cannot be written: ENOSPC: no more; the output is lost, but any changes were made\n',
    );
  });
});

test('secrets reseal --discard-unreadable says how many secrets it discarded, and is audited', async () => {
  resealed = { resealed: 2, unreadable: 3 };
  const outcome = await run('secrets', 'reseal', '--discard-unreadable');
  expect(outcome).toMatchObject({
    code: 0,
    stdout: '2 secrets resealed\n3 unreadable secrets discarded\n',
  });
  expect(entries()).toMatchObject([{ details: { command: 'secrets reseal --discard-unreadable' } }]);
});

test('secrets reseal fails if unreadable secrets stay behind, and says how many', async () => {
  resealed = { resealed: 0, unreadable: 3 };
  const outcome = await run('secrets', 'reseal');
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain('3 secrets');
});

test('import refuses an inventory whose software titles exceed a limit, and names the limit', async () => {
  const file = join(directory, 'many-titles.json');
  await writeFile(file, '{}');
  inventory = anInventory({ software: [{ name: 'x'.repeat(1_025), version: null }] });
  const outcome = await run('import', '--org', tenant.orgId, file);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain(`${file}: the name of a title of software has at most 1,024 characters`);
});

test('import says that a file is missing, and that a directory is not a file', async () => {
  const gone = join(directory, 'gone.json');
  const outcome = await run('import', '--org', tenant.orgId, gone, directory);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain(`${gone}: no such file\n${directory}: is a directory, not a file\n`);
});

describe('load', () => {
  const write = async (name: string, text: string) => {
    const file = join(directory, name);
    await writeFile(file, text);
    return file;
  };

  test('continues after a file that is missing or refused', async () => {
    const good = await write('good.json', JSON.stringify({ partners: [{ id: newId(), name: 'P' }] }));
    const bad = await write('bad.json', JSON.stringify({ partners: [{ id: 'x', name: 'P' }] }));
    const gone = join(directory, 'gone.json');
    const outcome = await run('load', gone, bad, directory, good);
    expect(outcome).toMatchObject({ code: 1, stdout: `${good}: loaded 1 partner\n` });
    expect(outcome.stderr).toContain(`${gone}: no such file\n`);
    expect(outcome.stderr).toContain(`${bad}: nothing was loaded\n  line 1: partners[0].id: `);
    expect(outcome.stderr).toContain(`${directory}: is a directory, not a file\n`);
    expect(outcome.stderr).toContain(`not loaded: ${[gone, bad, directory].join(', ')}\n`);
  });

  test('says how many records of erased people it left out, and whether a file is empty', async () => {
    const { id, email, name } = await addUser({ membership: { scope: 'organization', orgId: tenant.orgId } });
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(id));
    const erased = { id, email, name, scope: 'organization', orgId: tenant.orgId };
    const alone = await write('erased.json', JSON.stringify({ users: [erased] }));
    const site = { id: newId(), orgId: tenant.orgId, name: 'S' };
    const beside = await write('beside.json', JSON.stringify({ users: [erased], sites: [site] }));
    const empty = await write('empty.json', '{}');
    const leftOut = '(left out 1 record of people whose accounts were erased)';
    expect(await run('load', alone, beside, empty)).toMatchObject({
      code: 0,
      stdout: [
        `${alone}: loaded nothing ${leftOut}\n`,
        `${beside}: loaded 1 site ${leftOut}\n`,
        `${empty}: loaded nothing (the file contains no records)\n`,
      ].join(''),
    });
  });

  describe('from standard input', () => {
    const partner = () =>
      Buffer.from(`${JSON.stringify({ kind: 'partner', id: newId(), name: `P ${newId()}` })}\n`);
    const loadFrom = async (chunks: AsyncIterable<Buffer>) => {
      const stdin = vi.spyOn(process, 'stdin', 'get');
      stdin.mockReturnValue(Readable.from(chunks) as typeof process.stdin);
      try {
        return await run('load', '-');
      } finally {
        stdin.mockRestore();
      }
    };

    test('reads to the end', async () => {
      const outcome = await loadFrom(Readable.from([partner(), partner()]));
      expect(outcome).toMatchObject({ code: 0, stdout: '-: loaded 2 partners\n' });
    });

    test('loads nothing if an interruption ends the input', async () => {
      const before = (await backend.listTenants()).partners.length;
      const cutOff = async function* () {
        yield partner();
        // By then the record has been read, and only the end of the input is left.
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
        process.emit('SIGINT');
      };
      expect(await loadFrom(cutOff())).toMatchObject({ code: 1, stdout: '' });
      expect((await backend.listTenants()).partners).toHaveLength(before);
    });
  });

  test('moves devices between organizations only with --allow-moves, and audits their number', async () => {
    const { orgIds } = await createTenant(backend, 2);
    const [from, to] = orgIds;
    const id = newId();
    const device = { id, hostname: 'desk', status: 'online' };
    const before = await write('before.json', JSON.stringify({ devices: [{ ...device, orgId: from }] }));
    const after = await write('after.json', JSON.stringify({ devices: [{ ...device, orgId: to }] }));
    expect((await run('load', before)).code).toBe(0);
    const refused = await run('load', after);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /line 1: devices\[0\]\.id: the device belongs to the organization ".+" \(.+\); --allow-moves/,
    );
    expect(await run('load', '--allow-moves', after)).toMatchObject({
      code: 0,
      stdout: `${after}: loaded 1 device\n`,
    });
    expect(entries().at(-1)).toMatchObject({ details: { command: 'load', device: 1, movedDevices: 1 } });
  });

  test('lists a hundred faults, and says that there may be more', async () => {
    const partners = Array.from({ length: 101 }, () => ({ id: 'x', name: 'P' }));
    const { stderr } = await run('load', await write('bad.json', JSON.stringify({ partners })));
    expect(stderr.match(/line 1: partners/g)).toHaveLength(100);
    expect(stderr).toContain('  only the first 100 are listed; there may be more\n');
  });

  test('loads nothing of a file whose reading is interrupted, and says so', async () => {
    const names = Array.from(
      { length: 50_000 },
      (_, i) => `{"kind":"partner","id":"${newId()}","name":"P${i}"}`,
    );
    const file = await write('long.ndjson', names.join('\n'));
    const before = (await backend.listTenants()).partners.length;
    const running = run('load', file, file);
    while (process.listenerCount('SIGINT') === 0) await new Promise(setImmediate);
    process.emit('SIGINT');
    const outcome = await running;
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain(`${file}: nothing was loaded\n${file}: not read\n`);
    expect((await backend.listTenants()).partners).toHaveLength(before);
    expect(process.listenerCount('SIGINT')).toBe(0);
  });
});
