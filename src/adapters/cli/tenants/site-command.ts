/** `site` (Contract: §16). */
import { Command } from 'commander';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { printList } from '#adapters/cli/terminal/format-text.ts';
import { findOrganization } from './find-tenant.ts';
import { createCommand, deleteCommand, renameCommand } from './place-commands.ts';

interface ListOptions {
  readonly org: string;
  readonly json?: true;
}

export function siteCommand(runtime: CliRuntime): Command {
  const list = new Command('list')
    .description('List the sites of an organization, by name')
    .requiredOption('--org <id or name>', 'the organization')
    .option('--json', 'as JSON')
    .action(async ({ org, json }: ListOptions) => {
      const sites = await withBackend(runtime, async (backend) => {
        const orgId = await findOrganization(backend, org);
        return backend.namesInReach({ kind: 'organization', orgId }, 'site');
      });
      const listed = sites.toSorted((a, b) => a.name.localeCompare(b.name));
      const rows = listed.map(({ id, name }) => [id, name]);
      printList(json, listed, ['ID', 'NAME'], rows, 'no sites; create one with site create');
    });
  return new Command('site')
    .description('List, create, rename and delete sites')
    .addCommand(list)
    .addCommand(createCommand(runtime, 'site'))
    .addCommand(renameCommand(runtime, 'site'))
    .addCommand(deleteCommand(runtime, 'site'));
}
