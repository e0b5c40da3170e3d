/** `key create`: creates an API key that acts for a user, by the rules of `POST /auth/api-keys`. */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { explainInOptions, toList } from '#adapters/cli/terminal/format-text.ts';
import type { Backend } from '#application/backend.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
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
    .option('--permissions <list>', 'comma-separated permissions that the user has (default: none)')
    .option('--expires <date>', 'when the key expires, in ISO 8601 (default: never)')
    .action(async (options: KeyOptions) => {
      const key = await withBackend(runtime, (backend) => createKey(runtime, backend, options));
      print(key);
      report('(shown only once; send it in the X-API-Key header)');
    });
  return new Command('key').description('Create API keys').addCommand(create);
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
  const input = { name, permissions: toList(permissions), expiresAt: expires, orgId };
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
      // Without the name, as in the API, because it may contain personal data and entries outlive the account.
      details: { userId: user.userId, permissions: record.permissions },
    });
  const created = await accounts.createApiKey(record, makeEntry);
  if (!created.ok) throw new CommandFailed(ACCOUNT_REFUSALS[created.error]);
  return record.key;
}

const OPTIONS = {
  name: '--name',
  permissions: '--permissions',
  expiresAt: '--expires',
  orgId: '--org',
};
