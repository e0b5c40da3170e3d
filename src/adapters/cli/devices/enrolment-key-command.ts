/** `enrolment-key create|list|revoke` follow the rules of `/enrolment-keys`. */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findOrganization, findSite } from '#adapters/cli/tenants/find-tenant.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { explainInOptions, formatTime, printList } from '#adapters/cli/terminal/format-text.ts';
import type { ActionFacts } from '#application/audit/make-entry.ts';
import type { Backend } from '#application/backend.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { type OrgId, parseId, type SiteId } from '#domain/ids.ts';

export function enrolmentKeyCommand(runtime: CliRuntime): Command {
  return new Command('enrolment-key')
    .description('Create, list and revoke the keys with which machines report')
    .addCommand(createCommand(runtime))
    .addCommand(listCommand(runtime))
    .addCommand(revokeCommand(runtime));
}

interface CreateOptions {
  readonly org: string;
  readonly site?: string;
  readonly name: string;
  readonly expires?: string;
}

function createCommand(runtime: CliRuntime): Command {
  return new Command('create')
    .description('Create a key, and print the command with which a machine reports')
    .requiredOption('--org <org>', 'the organization of the machines, by id or name')
    .option('--site <site>', 'the site of the machines, by id or name')
    .option('--name <name>', 'what the key is for', 'command line')
    .option('--expires <date>', 'when the key expires, in ISO 8601 (default: never)')
    .addHelpText(
      'after',
      '\nRun the printed command on every machine with a GLPI Agent 1.x. Its address is BASE_URL, or else HOST and\nPORT, which must then be set as for the service.',
    )
    .action(async (options: CreateOptions) => {
      const key = await withBackend(runtime, (backend) => createKey(runtime, backend, options));
      const { baseUrl } = runtime.config;
      const server = new URL(`${baseUrl ?? (await runtime.listensAt())}/inventory`);
      server.username = 'any';
      server.password = key;
      print(`glpi-agent --server ${server.href}`);
      report('(the key in it is shown only once; anyone who has it can report machines)');
      report(ONLY_ONCE);
      if (baseUrl === null) report(WITHOUT_BASE_URL);
    });
}

const ONLY_ONCE =
  "(it reports once; to keep a machine online, put 'server = ' and the address into conf.d/fleetsift.cfg of its agent, and\nrestart the agent's service)";

const WITHOUT_BASE_URL =
  '(BASE_URL is not set, so the address comes from HOST and PORT; replace it with the address at which machines\nreach the service)';

async function createKey(
  runtime: CliRuntime,
  backend: Backend,
  { org, site, name, expires: expiresAt }: CreateOptions,
): Promise<string> {
  const orgId = await findOrganization(backend, org);
  const siteId = site === undefined ? null : await findSite(backend, orgId, site);
  const { issue } = await keyChanges(runtime, backend);
  const issued = await issue(operator(runtime, 'create'), { orgId, siteId, name, expiresAt });
  if (!issued.ok) throw new CommandFailed(explainInOptions(issued.error, OPTIONS));
  return issued.value.key;
}

async function keyChanges(runtime: CliRuntime, { unitOfWork }: Backend) {
  const { makeKeyChanges } = await import('#application/enrolment/enrolment-use-cases.ts');
  return makeKeyChanges({ ...runtime, unitOfWork, secrets: await runtime.importSecrets() });
}

function operator(runtime: CliRuntime, command: 'create' | 'revoke') {
  return {
    scope: SYSTEM_SCOPE,
    makeEntry: (facts: ActionFacts) =>
      systemEntry(runtime, { ...facts, command: `enrolment-key ${command}` }),
  };
}

const OPTIONS = { name: '--name', expiresAt: '--expires' };

interface ListOptions {
  readonly org?: string;
  readonly json?: true;
}

function listCommand(runtime: CliRuntime): Command {
  return new Command('list')
    .description('List the keys that are not revoked, newest first')
    .option('--org <org>', 'only those of this organization, by id or name')
    .option('--json', 'as JSON')
    .action(async ({ org, json }: ListOptions) => {
      const { keys, nameOf } = await withBackend(runtime, (backend) => listKeys(backend, org));
      const rows = keys.map((key) => toCells(key, nameOf));
      printList(json, keys.map(toJson), HEADINGS, rows, 'no enrolment keys');
    });
}

const HEADINGS = ['ID', 'ORGANIZATION', 'SITE', 'NAME', 'CREATED', 'EXPIRES'];

type NameOf = (id: OrgId | SiteId) => string;

async function listKeys(
  backend: Backend,
  org: string | undefined,
): Promise<{ readonly keys: readonly EnrolmentKey[]; readonly nameOf: NameOf }> {
  const scope: AccessScope =
    org === undefined ? SYSTEM_SCOPE : { kind: 'organization', orgId: await findOrganization(backend, org) };
  const { organizations } = await backend.listTenants();
  const named = [...organizations, ...(await backend.namesInReach(scope, 'site'))];
  const names = new Map<string, string>(named.map(({ id, name }) => [id, name]));
  return { keys: await backend.enrolmentKeys.list(scope), nameOf: (id) => names.get(id) ?? id };
}

function toCells(
  { id, orgId, siteId, name, createdAt, expiresAt }: EnrolmentKey,
  nameOf: NameOf,
): readonly string[] {
  const site = siteId === null ? '' : nameOf(siteId);
  return [id, nameOf(orgId), site, name, formatTime(createdAt), formatTime(expiresAt)];
}

function toJson({ createdAt, expiresAt, ...key }: EnrolmentKey): object {
  return {
    ...key,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
  };
}

function revokeCommand(runtime: CliRuntime): Command {
  return new Command('revoke')
    .description('Revoke a key; machines can no longer report with it')
    .argument('<id>', 'the id of the key, as shown by enrolment-key list')
    .action(async (id: string) => {
      const keyId = parseId<'enrolment-key'>(id);
      const isRevoked =
        keyId !== null &&
        (await withBackend(runtime, async (backend) =>
          (await keyChanges(runtime, backend)).revoke(operator(runtime, 'revoke'), keyId),
        ));
      if (!isRevoked) throw new CommandFailed(`there is no enrolment key ${id}; see enrolment-key list`);
      print(`revoked ${id}`);
    });
}
