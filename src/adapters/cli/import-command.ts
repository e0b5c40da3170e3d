/** `import --org ID FILE…`: takes inventories in the GLPI format, each file a transaction of its own. */
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { InventoryRefusal } from '#application/ports/fleet/inventory-store.ts';
import { type OrgId, parseId } from '#domain/ids.ts';
import { type CliRuntime, CommandFailed } from './cli-runtime.ts';

export function importCommand(runtime: CliRuntime): Command {
  return new Command('import')
    .description('Import device inventories in the GLPI inventory format (JSON)')
    .requiredOption('--org <id>', 'the organization that the devices belong to')
    .argument('<file...>', 'inventories of computers, phones, printers and network equipment')
    .addHelpText(
      'after',
      '\nA device is matched by the deviceid of its inventory. A bad file is named and changes nothing;\nthe good ones beside it go in.',
    )
    .action(async (files: readonly string[], { org }: { readonly org: string }) => {
      const orgId = parseId<'organization'>(org);
      if (orgId === null)
        throw new CommandFailed(`--org must be the id of an organization (a UUID), not "${org}"`);
      const refused: string[] = [];
      await runtime.withBackend(async ({ inventoryStore }) => {
        for (const file of files) {
          const outcome = await importFile(runtime, inventoryStore, orgId, file);
          process[outcome.isIn ? 'stdout' : 'stderr'].write(`${file}: ${outcome.message}\n`);
          if (!outcome.isIn) refused.push(file);
        }
      });
      if (refused.length > 0) {
        throw new CommandFailed(`${refused.length} of ${files.length} refused: ${refused.join(', ')}`);
      }
    });
}

interface ImportOutcome {
  readonly isIn: boolean;
  readonly message: string;
}

async function importFile(
  runtime: CliRuntime,
  store: Parameters<Parameters<CliRuntime['withBackend']>[0]>[0]['inventoryStore'],
  orgId: OrgId,
  file: string,
): Promise<ImportOutcome> {
  const text = await readText(file);
  if (text === null) return { isIn: false, message: 'cannot be read as a file of UTF-8 text' };
  const inventory = runtime.readInventory(text);
  if (!inventory.ok) return { isIn: false, message: inventory.error.join('\n  ') };
  const stored = await store(orgId, inventory.value, runtime.clock());
  if (!stored.ok) return { isIn: false, message: REFUSALS[stored.error](orgId) };
  const { hostname } = inventory.value.fields;
  const name = hostname ?? inventory.value.inventoryId;
  return {
    isIn: true,
    message: `${stored.value.created ? 'added' : 'updated'} ${name} (device ${stored.value.deviceId})`,
  };
}

async function readText(file: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch {
    return null;
  }
}

const REFUSALS: Readonly<Record<InventoryRefusal, (orgId: OrgId) => string>> = {
  'unknown-organization': (orgId) => `there is no organization ${orgId}`,
  'partial-for-unknown-device': () =>
    'is a partial inventory of a device that is not known yet; import a full one of it first',
};
