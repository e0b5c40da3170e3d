/** `admin create`: creates an administrator; the way into a database without users. */
import { randomBytes } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import type { AccountRefusal } from '#application/ports/auth/account-store.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import { type OrgId, parseId } from '#domain/ids.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { type CliRuntime, CommandFailed } from './cli-runtime.ts';
import { withBackend } from './open-service.ts';
import { systemEntry } from './system-entry.ts';

interface AdminOptions {
  readonly email: string;
  readonly name?: string;
  readonly scope?: Membership['scope'];
  readonly org?: string;
  readonly partner?: string;
  readonly passwordStdin?: true;
}

export function adminCommand(runtime: CliRuntime): Command {
  const create = new Command('create')
    .description('Create an administrator (a user with users:write and devices:write)')
    .requiredOption('--email <email>', 'the address they sign in with')
    .option('--name <name>', 'their name (default: the email)')
    .addOption(
      new Option(
        '--scope <scope>',
        'what they may see and administer (default: what --org or --partner says, else system)',
      ).choices(['system', 'partner', 'organization']),
    )
    .option('--org <id>', 'the organization that they administer')
    .option('--partner <id>', 'the partner that they administer')
    .option('--password-stdin', 'read the password from standard input (default: generate one)')
    .action(async (options: AdminOptions) => {
      const email = checkText('--email', options.email);
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new CommandFailed('--email must be an email address');
      const membership = toMembership(options);
      const typed =
        options.passwordStdin === true ? (await readAll(process.stdin)).replace(/\r?\n$/, '') : null;
      const password = typed ?? randomBytes(15).toString('base64url');
      const length = countCodePoints(password);
      if (length < 8 || length > 256) throw new CommandFailed('the password must have 8 to 256 characters');
      const user: UserRecord = {
        kind: 'user',
        id: runtime.newId<'user'>(),
        email,
        name: checkText('--name', options.name ?? email),
        password,
        membership,
        permissions: ADMINISTRATOR_PERMISSIONS,
        isPlatformAdmin: membership.scope === 'system',
        totpSecret: null,
      };
      const created = await withBackend(runtime, ({ accounts }) =>
        accounts.createUser(user, toEntry(runtime, user)),
      );
      if (!created.ok) throw new CommandFailed(REFUSALS[created.error]);
      process.stdout.write(`created ${membership.scope} administrator ${email} (user ${user.id})\n`);
      if (typed === null) process.stdout.write(`password: ${password}\n(shown only once)\n`);
    });
  return new Command('admin').description('Create administrators').addCommand(create);
}

function toEntry(runtime: CliRuntime, { id, membership }: UserRecord): AuditEntry {
  return systemEntry(runtime, {
    action: 'user.created',
    command: 'admin create',
    resourceId: id,
    orgId: membership.scope === 'organization' ? membership.orgId : null,
    partnerId: membership.scope === 'partner' ? membership.partnerId : null,
    details: { scope: membership.scope },
  });
}

/** An id that the scope does not go with is refused: ignored, it would make an administrator of more than was meant. */
function toMembership({ org, partner, ...options }: AdminOptions): Membership {
  if (org !== undefined && partner !== undefined) {
    throw new CommandFailed('pass either --org or --partner, not both');
  }
  const scope =
    options.scope ?? (org !== undefined ? 'organization' : partner !== undefined ? 'partner' : 'system');
  if (org !== undefined && scope !== 'organization') {
    throw new CommandFailed(`--org contradicts --scope ${scope}; it needs --scope organization`);
  }
  if (partner !== undefined && scope !== 'partner') {
    throw new CommandFailed(`--partner contradicts --scope ${scope}; it needs --scope partner`);
  }
  switch (scope) {
    case 'system':
      return { scope };
    case 'partner': {
      const partnerId = parseId<'partner'>(partner);
      if (partnerId === null)
        throw new CommandFailed('a partner administrator needs --partner <id>, the UUID of a partner');
      return { scope, partnerId, orgIds: null };
    }
    case 'organization': {
      const orgId: OrgId | null = parseId<'organization'>(org);
      if (orgId === null)
        throw new CommandFailed(
          'an organization administrator needs --org <id>, the UUID of an organization',
        );
      return { scope, orgId };
    }
  }
}

function checkText(option: string, text: string): string {
  const reason = unstorableReason(text) ?? (text.trim() === '' ? 'must not be empty' : null);
  if (reason !== null) throw new CommandFailed(`${option} ${reason}`);
  return text.trim();
}

const REFUSALS: Readonly<Record<AccountRefusal, string>> = {
  'email-taken': 'a user with this email exists already',
  'unknown-organization': 'there is no organization with this id',
  'unknown-partner': 'there is no partner with this id',
  'unknown-user': 'there is no such user',
};
