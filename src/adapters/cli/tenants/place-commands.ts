/**
 * `create`, `rename` and `delete` of partners, organizations and sites, by the rules of the API (Contract: §16).
 * `org create` is in `org-command.ts`.
 */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { operatorCall, operatorDeps } from '#adapters/cli/operator-call.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import { explainInOptions } from '#adapters/cli/terminal/format-text.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Backend } from '#application/backend.ts';
import type { ManageTenantsDeps } from '#application/fleet/manage-tenants.ts';
import type { PlaceKind } from '#application/ports/fleet/tenant-directory.ts';
import { ok, type Result } from '#domain/result.ts';
import { visibleName } from '#domain/text/visible-text.ts';
import { findOrganization, findPartner, findSite } from './find-tenant.ts';

interface PlaceOptions {
  readonly name: string;
  readonly org: string;
}

export function createCommand(runtime: CliRuntime, kind: Exclude<PlaceKind, 'organization'>): Command {
  return ofSite(new Command('create').description(`Create a ${kind}`), kind)
    .requiredOption('--name <name>', 'the name')
    .action(async ({ name, org }: PlaceOptions) => {
      const { makeCreatePlace } = await import('#application/fleet/manage-tenants.ts');
      const created = await onBackend(runtime, `${kind} create`, async (backend, deps) => {
        const parentId = kind === 'site' ? await findOrganization(backend, org) : null;
        return makeCreatePlace(deps)(operatorCall(runtime), kind, async () => ok({ name, parentId }));
      });
      print(`created ${kind} ${visibleName(created.name)} (${created.id})`);
    });
}

export function renameCommand(runtime: CliRuntime, kind: PlaceKind): Command {
  return ofSite(new Command('rename').description(`Rename the ${kind}`), kind)
    .argument(`<${kind}>`, 'its id or name')
    .requiredOption('--name <name>', 'the new name')
    .action(async (typed: string, { name, org }: PlaceOptions) => {
      const { makeRenamePlace } = await import('#application/fleet/manage-tenants.ts');
      const renamed = await onBackend(runtime, `${COMMANDS[kind]} rename`, async (backend, deps) => {
        const id = await findPlace(backend, kind, typed, org);
        return makeRenamePlace(deps)(operatorCall(runtime), kind, id, async () => ok({ name }));
      });
      print(`renamed ${kind} ${visibleName(renamed.name)} (${renamed.id})`);
    });
}

export function deleteCommand(runtime: CliRuntime, kind: 'organization' | 'site'): Command {
  return ofSite(new Command('delete').description(DELETIONS[kind]), kind)
    .argument(`<${kind}>`, 'its id or name')
    .action(async (typed: string, { org }: PlaceOptions) => {
      const { makeDeletePlace } = await import('#application/fleet/manage-tenants.ts');
      await onBackend(runtime, `${COMMANDS[kind]} delete`, async (backend, deps) => {
        const id = await findPlace(backend, kind, typed, org);
        return makeDeletePlace(deps)(operatorCall(runtime), kind, id);
      });
      print(`deleted ${kind} ${visibleName(typed)}`);
    });
}

const COMMANDS = { partner: 'partner', organization: 'org', site: 'site' } as const;

const DELETIONS = {
  organization: 'Delete an organization without devices, people and filters',
  site: 'Delete a site; its devices stay, without a site',
} as const;

/** Sites need `--org`, because their names are unique only within an organization. */
function ofSite(command: Command, kind: PlaceKind): Command {
  return kind === 'site'
    ? command.requiredOption('--org <id or name>', 'the organization of the site')
    : command;
}

async function findPlace(backend: Backend, kind: PlaceKind, typed: string, org: string): Promise<string> {
  switch (kind) {
    case 'partner':
      return findPartner(backend, typed, 'PARTNER');
    case 'organization':
      return findOrganization(backend, typed, 'ORGANIZATION');
    case 'site':
      return findSite(backend, await findOrganization(backend, org), typed, 'SITE');
  }
}

async function onBackend<T>(
  runtime: CliRuntime,
  command: string,
  work: (backend: Backend, deps: ManageTenantsDeps) => Promise<Result<T, ApplicationError>>,
): Promise<T> {
  const deps = operatorDeps(runtime, command);
  const done = await withBackend(runtime, (backend) => work(backend, { ...backend, ...deps }));
  if (!done.ok) throw new CommandFailed(explainInOptions(done.error, { name: '--name' }));
  return done.value;
}
