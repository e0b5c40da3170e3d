/** `fleetsift dump` and `fleetsift backup-role`: what they write, say and audit. */
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LoadFiles } from '#adapters/cli/cli-runtime.ts';
import { runProgram } from '#adapters/cli/program.ts';
import { printRecord } from '#adapters/load/print-record.ts';
import type { MemoryBackend } from '#adapters/memory/memory-backend.ts';
import type { BackupRoleOutcome } from '#application/ports/backup-role.ts';
import type { FleetReading } from '#application/ports/fleet/fleet-reader.ts';
import type { PartnerMaintenance } from '#application/ports/partner-maintenance.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import { aDevice, aPartner } from '#test/support/builders.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';
import { captureOutput, makeCliBackend, makeCliRuntime } from './cli-fakes.ts';

let backend: MemoryBackend;
let tenant: Tenant;
let directory: string;
let file: string;
let batches: readonly (readonly FleetRecord[])[];
/** What the database was asked for. */
let asked: FleetReading[];
/** What happens before the second batch. */
let meanwhile: () => void;
let role: BackupRoleOutcome;
let partnerMaintenance: Partial<PartnerMaintenance>;

const BACKUP = { role: 'fleet_backup', connection: { host: 'db 1', port: 5432, database: `it's` } };

beforeEach(async () => {
  backend = makeCliBackend();
  tenant = await createTenant(backend);
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-dump-'));
  file = join(directory, 'fleet.ndjson');
  batches = [[aPartner()], [aDevice({ orgId: tenant.orgId }), aDevice({ orgId: tenant.orgId })]];
  asked = [];
  meanwhile = () => undefined;
});

afterEach(() => rm(directory, { recursive: true }));

const run = (...args: readonly string[]) =>
  captureOutput(() =>
    runProgram(
      makeCliRuntime(backend, directory, {
        importLoadFiles: async () => ({ printRecord }) as LoadFiles,
        service: {
          databaseTools: {
            partnerMaintenance: partnerMaintenance as PartnerMaintenance,
            createBackupRole: async () => role,
            readFleet: async function* (reading) {
              asked.push(reading);
              for (const [i, records] of batches.entries()) {
                if (i === 1) meanwhile();
                yield records;
              }
            },
          },
        },
      }),
      args,
    ),
  );

const entries = () =>
  backend
    .auditEntries()
    .filter(({ action }) => action === 'fleet.dump' || action === 'backup_role.created')
    .map(({ actor, action, partnerId, details }) => ({ actor: actor.type, action, partnerId, details }));

const whole = () => batches.flat().map(printRecord).join('');

describe('dump', () => {
  test('writes a file that only its owner may read, and is audited', async () => {
    expect(await run('dump', file)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `dumped 1 partner, 2 devices to ${file}\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(whole());
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(asked).toStrictEqual([{ withCredentials: false, partnerId: null }]);
    expect(entries()).toStrictEqual([
      {
        ...{ actor: 'system', action: 'fleet.dump', partnerId: null },
        details: { command: 'dump', withCredentials: false, partner: 1, device: 2 },
      },
    ]);
  });

  test('writes to standard output', async () => {
    expect(await run('dump', '-')).toMatchObject({
      ...{ code: 0, stdout: whole() },
      stderr: 'dumped 1 partner, 2 devices\n',
    });
  });

  test('writes one partner, by name, with credentials, and warns that SECRET_KEY is not set', async () => {
    const [partner] = (await backend.listTenants()).partners;
    const { code, stderr } = await run('dump', file, '--partner', partner?.name ?? '', '--with-credentials');
    expect(code).toBe(0);
    expect(stderr).toMatch(/SECRET_KEY is not set, .* secrets reseal/);
    expect(asked).toStrictEqual([{ withCredentials: true, partnerId: tenant.partnerId }]);
    expect(entries()).toMatchObject([{ partnerId: tenant.partnerId }]);
  });

  test('writes into a new file with a random name, which only its owner may read', async () => {
    const elsewhere = join(directory, 'elsewhere');
    await writeFile(elsewhere, 'precious');
    await symlink(elsewhere, `${file}.${process.pid}.part`);
    const parts: string[] = [];
    meanwhile = () => {
      for (const name of readdirSync(directory).filter((each) =>
        /^fleet\.ndjson\.[0-9a-f]{16}\.part$/.test(each),
      )) {
        parts.push(name);
        expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
      }
    };
    expect(await run('dump', file)).toMatchObject({ code: 0 });
    expect(await run('dump', file, '--force')).toMatchObject({ code: 0 });
    expect(new Set(parts).size).toBe(2);
    expect(await readFile(elsewhere, 'utf8')).toBe('precious');
    expect(await readFile(file, 'utf8')).toBe(whole());
  });

  test('replaces a file only with --force', async () => {
    await writeFile(file, 'precious');
    expect(await run('dump', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect(await run('dump', file, '--force')).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(whole());
  });

  test.each<[string, () => void, RegExp]>([
    ['is interrupted', () => process.emit('SIGINT'), /^interrupted after 1 records; .* was not written$/m],
    [
      'fails',
      () => {
        throw new Error('the server went away');
      },
      /^failed \(the server went away\) after 1 records; .* was not written$/m,
    ],
  ])('leaves no new file, and keeps an old one, when it %s', async (_, happens, message) => {
    meanwhile = happens;
    expect(await run('dump', file)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    expect(await readdir(directory)).toStrictEqual([]);
    await writeFile(file, 'precious');
    await run('dump', file, '--force');
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect(entries()).toStrictEqual([]);
  });

  test('says that a file in a missing directory cannot be written', async () => {
    expect(await run('dump', join(directory, 'none', 'file'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
  });
});

describe('partner', () => {
  test('maintenance on waits, says for what, and is audited', async () => {
    partnerMaintenance = {
      begin: async (partnerId, makeEntry, onWaiting) => {
        onWaiting(2);
        onWaiting(2);
        onWaiting(1);
        const entry = await makeEntry();
        if (entry !== null) await backend.auditLog(entry);
        return partnerId === tenant.partnerId;
      },
    };
    expect(await run('partner', 'maintenance', 'on', '--partner', tenant.partnerId)).toStrictEqual({
      code: 0,
      stdout: 'the partner is read-only\n',
      stderr: 'waiting for 2 transactions to end\nwaiting for 1 transaction to end\n',
    });
    expect(backend.auditEntries().at(-1)).toMatchObject({
      action: 'partner.maintenance_began',
      ...{ partnerId: tenant.partnerId, resourceId: tenant.partnerId },
      details: { command: 'partner maintenance on' },
    });
  });

  test('maintenance off says that the partner was not in maintenance', async () => {
    partnerMaintenance = { end: async () => false };
    expect(await run('partner', 'maintenance', 'off', '--partner', tenant.partnerId)).toMatchObject({
      ...{ code: 0, stdout: 'the partner was not in maintenance\n' },
    });
  });

  test('check names what spans partners', async () => {
    partnerMaintenance = {
      findTies: async () => ({
        staff: [{ id: tenant.userId, email: 'root@example.com' }],
        foreignKeys: 2,
        waitingMails: 1,
      }),
    };
    const { stdout } = await run('partner', 'check', '--partner', tenant.partnerId);
    expect(stdout).toMatch(/root@example\.com.*\n.*stay behind: 2\n.*sent from here: 1\n/);
  });

  test.each([
    ['not-in-maintenance', 'partner maintenance on'],
    ['mails-waiting', 'mail list'],
  ] as const)('remove refuses, and says what to do: %s', async (refusal, advice) => {
    partnerMaintenance = { remove: async () => refusal };
    expect(await run('partner', 'remove', '--partner', tenant.partnerId)).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining(advice),
    });
  });
});

describe('backup-role create', () => {
  test('shows the password once, and the pg_dump line with its words quoted', async () => {
    role = { kind: 'ready', password: 'secret', ...BACKUP };
    const { code, stdout, stderr } = await run('backup-role', 'create');
    expect(code).toBe(0);
    expect(stdout).toBe('created role fleet_backup\npassword: secret\n(shown only once)\n');
    expect(stderr).toContain(
      `pg_dump --format=custom --no-owner --no-privileges --host='db 1' --port=5432 --username=fleet_backup --dbname='it'\\''s' --file=fleetsift.backup\n`,
    );
    expect(entries()).toMatchObject([{ action: 'backup_role.created' }]);
  });

  test('says that an existing role is ready, and audits nothing', async () => {
    role = { kind: 'ready', password: null, ...BACKUP };
    expect(await run('backup-role', 'create')).toMatchObject({
      ...{ code: 0, stdout: 'the role fleet_backup is ready\n' },
      stderr: expect.stringContaining('pg_dump'),
    });
    expect(entries()).toStrictEqual([]);
  });

  test('prints the statements for a superuser if the owner may not run them', async () => {
    role = { kind: 'not-allowed', statements: ['create role x', 'alter role x with bypassrls'], ...BACKUP };
    expect(await run('backup-role', 'create')).toMatchObject({
      ...{ code: 1, stdout: 'create role x;\nalter role x with bypassrls;\n' },
      stderr: expect.stringMatching(/superuser.*\n.*pg_dump/),
    });
    expect(entries()).toStrictEqual([]);
  });

  test('refuses to take over another role of that name', async () => {
    role = { kind: 'taken', ...BACKUP };
    expect(await run('backup-role', 'create')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining('drop role "fleet_backup"'),
    });
  });
});
