/** `user invite|resend|withdraw|sign-out|revoke-keys` follow the rules of the routes of `/users` (Contract: §16). */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { operatorAbove, operatorDeps } from '#adapters/cli/operator-call.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import type { InvitePeopleDeps } from '#application/people/invite-people.ts';
import { ok } from '#domain/result.ts';
import { checkPermissions } from './check-permissions.ts';
import {
  explainPerson,
  type MembershipOptions,
  ORG_OPTION,
  ORGS_OPTION,
  PARTNER_OPTION,
  PERMISSIONS_OPTION,
  readNewMembership,
  scopeOption,
} from './membership-options.ts';
import { actOn, EMAIL_ARGUMENT } from './person-commands.ts';

interface InviteOptions extends MembershipOptions {
  readonly name?: string;
  readonly permissions?: string;
}

export function inviteCommand(runtime: CliRuntime): Command {
  return new Command('invite')
    .description('Send somebody a mail with a link, with which they set their password')
    .argument(...EMAIL_ARGUMENT)
    .option('--name <name>', 'their name (default: the email)')
    .addOption(scopeOption('what they may see (default: follows --org or --partner)'))
    .option(...ORG_OPTION)
    .option(...PARTNER_OPTION)
    .option(...ORGS_OPTION)
    .option(...PERMISSIONS_OPTION)
    .action(async (email: string, { name = email, permissions: list, ...place }: InviteOptions) => {
      const { makeInvitePerson } = await import('#application/people/invite-people.ts');
      const permissions = checkPermissions(list);
      const deps = await invitationDeps(runtime, 'user invite');
      const invited = await withBackend(runtime, async (backend) => {
        const input = { email, name, permissions, ...(await readNewMembership(backend, place)) };
        const invite = makeInvitePerson({ ...backend, ...deps });
        return invite<never>(operatorAbove(runtime, { permissions }), async () => ok(input));
      });
      if (!invited.ok) throw new CommandFailed(explainPerson(email, invited.error));
      print(`invited ${invited.value.email} (user ${invited.value.id}); the link is in a mail to them`);
    });
}

export function resendCommand(runtime: CliRuntime): Command {
  return new Command('resend')
    .description('Send a new link to somebody who is still invited; the former link is void')
    .argument(...EMAIL_ARGUMENT)
    .action(async (email: string) => {
      const { makeSendInvitation } = await import('#application/people/invite-people.ts');
      const deps = await invitationDeps(runtime, 'user resend');
      await actOn(runtime, email, 'invited', (backend, call, { id }) =>
        makeSendInvitation({ ...backend, ...deps })(call, id),
      );
      print(`a new link is in a mail to ${email}`);
    });
}

export function withdrawCommand(runtime: CliRuntime): Command {
  return new Command('withdraw')
    .description('Remove somebody who is still invited; their link is void')
    .argument(...EMAIL_ARGUMENT)
    .action(async (email: string) => {
      const { makeRevokeInvitation } = await import('#application/people/invite-people.ts');
      const deps = await invitationDeps(runtime, 'user withdraw');
      await actOn(runtime, email, 'invited', (backend, call, { id }) =>
        makeRevokeInvitation({ ...backend, ...deps })(call, id),
      );
      print(`${email} is no longer invited`);
    });
}

type InvitationDeps = Pick<InvitePeopleDeps, 'secrets'> & ReturnType<typeof operatorDeps>;

async function invitationDeps(runtime: CliRuntime, command: string): Promise<InvitationDeps> {
  return { ...operatorDeps(runtime, command), secrets: await runtime.importSecrets() };
}

export function signOutCommand(runtime: CliRuntime): Command {
  return new Command('sign-out')
    .description('End all sessions of a user')
    .argument(...EMAIL_ARGUMENT)
    .action(async (email: string) => {
      const { makeEndSessionOf } = await import('#application/people/others-access.ts');
      const deps = operatorDeps(runtime, 'user sign-out');
      await actOn(runtime, email, undefined, (backend, call, { id }) =>
        makeEndSessionOf({ ...backend, ...deps })(call, id, null),
      );
      print(`signed ${email} out everywhere`);
    });
}

export function revokeKeysCommand(runtime: CliRuntime): Command {
  return new Command('revoke-keys')
    .description('Revoke all API keys of a user, who gets a mail for each')
    .argument(...EMAIL_ARGUMENT)
    .action(async (email: string) => {
      const { makeRevokeApiKeyOf } = await import('#application/people/others-access.ts');
      const deps = operatorDeps(runtime, 'user revoke-keys');
      await actOn(runtime, email, undefined, (backend, call, { id }) =>
        makeRevokeApiKeyOf({ ...backend, ...deps })(call, id, null),
      );
      print(`revoked the API keys of ${email}`);
    });
}
