/** `key create|list|revoke` follow the rules of `POST /auth/api-keys`. */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { operatorAbove, operatorDeps } from '#adapters/cli/operator-call.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { explainInOptions, formatTime, printList } from '#adapters/cli/terminal/format-text.ts';
import type { Backend } from '#application/backend.ts';
import type { IssuedApiKey } from '#application/ports/auth/stores/account-store.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import { checkPermissions } from './check-permissions.ts';
import { ACCOUNT_REFUSALS } from './create-user.ts';

interface KeyOptions {
  readonly email: string;
  readonly name: string;
  readonly org?: string;
  readonly permissions?: string;
  readonly expires?: string;
}

export function keyCommand(runtime: CliRuntime): Command {
  const create = new Command('create')
    .description('Create an API key, which is shown only once')
    .requiredOption(
      '--email <email>',
      'the user that the key acts for; it never has more rights than the user',
    )
    .option('--name <name>', 'what the key is for', 'command line')
    .option('--org <id or name>', 'restrict the key to one organization that the user can access')
    .option(
      '--permissions <list>',
      'comma-separated permissions that the user has (default: none, which is enough to read and to save filters)',
    )
    .option('--expires <date>', 'when the key expires, in ISO 8601 (default: never)')
    .action(async (options: KeyOptions) => {
      const key = await withBackend(runtime, (backend) => createKey(runtime, backend, options));
      print(key);
      report('(shown only once; send it in the X-API-Key header)');
    });
  return new Command('key')
    .description('Create, list and revoke API keys')
    .addCommand(create)
    .addCommand(listCommand(runtime))
    .addCommand(revokeCommand(runtime));
}

async function createKey(
  runtime: CliRuntime,
  { accounts, principals, ...backend }: Backend,
  { email, name, org, permissions, expires }: KeyOptions,
): Promise<string> {
  const orgId = org === undefined ? null : await findOrganization(backend, org);
  const userId = await accounts.findUserByEmail(email);
  const user = userId === null ? null : await principals.findUser(userId);
  if (user === null) throw new CommandFailed(`there is no active user with the email ${email}`);
  const input = { name, permissions: checkPermissions(permissions), expiresAt: expires, orgId };
  const { checkIssuedKey } = await import('#application/auth/api-keys.ts');
  const checked = checkIssuedKey(user, input, runtime.clock());
  if (!checked.ok) throw new CommandFailed(explainInOptions(checked.error, OPTIONS));
  const record: ApiKeyRecord = {
    kind: 'apiKey',
    id: runtime.newId<'api-key'>(),
    key: (await runtime.importSecrets()).apiKey(),
    userId: user.userId,
    ...checked.value,
  };
  const { scope } = user;
  const makeEntry = () =>
    systemEntry(runtime, {
      action: 'auth.api_key.created',
      command: 'key create',
      resourceId: record.id,
      orgId: orgId ?? (scope.kind === 'organization' ? scope.orgId : null),
      partnerId: scope.kind === 'partner' ? scope.partnerId : null,
      // Without the key's name: it may contain personal data, and entries outlive the account.
      details: { userId: user.userId, permissions: record.permissions },
    });
  const created = await accounts.createApiKey(record, makeEntry);
  if (!created.ok) throw new CommandFailed(ACCOUNT_REFUSALS[created.error]);
  return record.key;
}

interface ListOptions {
  readonly email?: string;
  readonly json?: true;
}

function listCommand(runtime: CliRuntime): Command {
  return new Command('list')
    .description('List the keys that are not revoked, newest first')
    .option('--email <email>', 'only those of this user')
    .option('--json', 'as JSON')
    .action(async ({ email, json }: ListOptions) => {
      const { keys, nameOf } = await withBackend(runtime, (backend) => listKeys(backend, email));
      const rows = keys.map((key) => toCells(key, nameOf));
      printList(json, keys.map(toJson), HEADINGS, rows, 'no API keys');
    });
}

async function listKeys({ accounts, listTenants }: Backend, email: string | undefined) {
  const keys = await accounts.listApiKeys();
  const names = new Map((await listTenants()).organizations.map(({ id, name }) => [id, name]));
  const nameOf = (id: OrgId) => names.get(id) ?? id;
  if (email === undefined) return { keys, nameOf };
  const userIds = new Set((await accounts.findAccounts(email)).map(({ id }) => id));
  if (userIds.size === 0) throw new CommandFailed(`there is no user with the email ${email}; see user list`);
  return { keys: keys.filter(({ user }) => userIds.has(user.id)), nameOf };
}

const HEADINGS = ['ID', 'USER', 'NAME', 'ORGANIZATION', 'PERMISSIONS', 'CREATED', 'EXPIRES'];

function toCells(
  { id, user, name, orgId, permissions, createdAt, expiresAt }: IssuedApiKey,
  nameOf: (id: OrgId) => string,
): readonly string[] {
  const organization = orgId === null ? '' : nameOf(orgId);
  const dates = [formatTime(createdAt), formatTime(expiresAt)];
  return [id, user.email, name, organization, permissions.join(',') || '-', ...dates];
}

function toJson({ createdAt, expiresAt, ...key }: IssuedApiKey): object {
  return { ...key, expiresAt: printInstantOrNull(expiresAt), createdAt: printInstant(createdAt) };
}

function revokeCommand(runtime: CliRuntime): Command {
  return new Command('revoke')
    .description('Revoke a key of any user, who gets a mail')
    .argument('<id>', 'the id of the key, as shown by key list')
    .action(async (id: string) => {
      const { makeRevokeApiKeyOf } = await import('#application/people/others-access.ts');
      await withBackend(runtime, async (backend) => {
        const key = (await backend.accounts.listApiKeys()).find((each) => each.id === id);
        if (key === undefined) throw new CommandFailed(`there is no API key ${id}; see key list`);
        const owners = await backend.accounts.findAccounts(key.user.email);
        const owner = owners.find((account) => account.id === key.user.id) ?? { permissions: [] };
        const revoke = makeRevokeApiKeyOf({ ...backend, ...operatorDeps(runtime, 'key revoke') });
        const done = await revoke(operatorAbove(runtime, owner), key.user.id, key.id);
        if (!done.ok) throw new CommandFailed(done.error.detail);
      });
      print(`revoked ${id}`);
    });
}

const OPTIONS = {
  name: '--name',
  permissions: '--permissions',
  expiresAt: '--expires',
  orgId: '--org',
};
