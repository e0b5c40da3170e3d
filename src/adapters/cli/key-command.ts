/** `key create`: creates an API key that acts for a user. */
import { Command } from 'commander';
import type { AccountRefusal } from '#application/ports/auth/account-store.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import { parseId } from '#domain/ids.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import { type CliRuntime, CommandFailed } from './cli-runtime.ts';
import { withBackend } from './open-service.ts';

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
    .requiredOption('--email <email>', 'the user that the key acts for; it can never do more than they can')
    .option('--name <name>', 'what the key is for', 'command line')
    .option('--org <id>', 'restrict the key to one organization')
    .option('--permissions <list>', 'comma-separated permissions of the key (default: none)')
    .option('--expires <date>', 'when the key expires, in ISO 8601 (default: never)')
    .action(async (options: KeyOptions) => {
      const orgId = options.org === undefined ? null : parseId<'organization'>(options.org);
      if (options.org !== undefined && orgId === null) throw new CommandFailed('--org must be a UUID');
      const expires = options.expires === undefined ? null : parseIsoInstant(options.expires);
      if (options.expires !== undefined && expires === null) {
        throw new CommandFailed(
          '--expires must be an ISO 8601 date such as 2027-01-31 or 2027-01-31T12:00:00Z',
        );
      }
      const key = await runtime.generateApiKey();
      const created = await withBackend(runtime, async ({ accounts }) => {
        const userId = await accounts.findUserByEmail(options.email);
        if (userId === null)
          throw new CommandFailed(`there is no active user with the email ${options.email}`);
        const record: ApiKeyRecord = {
          kind: 'apiKey',
          id: runtime.newId<'api-key'>(),
          key,
          userId,
          name: options.name,
          orgId,
          permissions: (options.permissions ?? '')
            .split(',')
            .map((word) => word.trim())
            .filter((word) => word !== ''),
          expiresAt: expires?.epochMs ?? null,
        };
        return accounts.createApiKey(record);
      });
      if (!created.ok) throw new CommandFailed(REFUSALS[created.error]);
      process.stdout.write(`${key}\n`);
      process.stderr.write('(shown only once; send it in the X-API-Key header)\n');
    });
  return new Command('key').description('Create API keys').addCommand(create);
}

const REFUSALS: Readonly<Record<AccountRefusal, string>> = {
  'email-taken': 'a user with this email exists already',
  'unknown-organization': 'there is no organization with this id',
  'unknown-partner': 'there is no partner with this id',
  'unknown-user': 'there is no active user with this id',
};
