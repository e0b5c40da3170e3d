/** `import --org ORG FILE…`: inventories in the GLPI format, one transaction per file. */
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { type CliRuntime, CommandFailed, type Inventories } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { findObstacle } from '#adapters/cli/terminal/find-obstacle.ts';
import type { InventoryRefusal, InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import { TITLE_LIMITS } from '#domain/device/title-quota.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { visibleName } from '#domain/text/visible-text.ts';

export function importCommand(runtime: CliRuntime): Command {
  return new Command('import')
    .description('Import device inventories in the GLPI inventory format (JSON)')
    .requiredOption('--org <id or name>', 'the organization that the devices belong to')
    .argument('<file...>', 'inventories of computers, phones, printers or network equipment')
    .addHelpText(
      'after',
      '\nA known machine is updated. It is recognized by any deviceid that it ever had, else by its serial number,\nUUID or a MAC address. A refused file is reported and changes nothing; the other files are imported.',
    )
    .action(async (files: readonly string[], { org }: { readonly org: string }) => {
      const { readInventory } = await runtime.importInventories();
      const refused: string[] = [];
      await withBackend(runtime, async ({ inventoryStore, ...backend }) => {
        const orgId = await findOrganization(backend, org);
        const store: Importer['store'] = (inventory) =>
          inventoryStore.store(
            { orgId, siteId: null, source: 'import', inventory, now: runtime.clock() },
            ({ deviceId, created }) =>
              systemEntry(runtime, {
                action: 'fleet.import',
                command: 'import',
                resourceId: deviceId,
                orgId,
                details: { created },
              }),
          );
        for (const file of files) {
          const { isImported, message } = await importFile(file, { readInventory, store });
          (isImported ? print : report)(`${visibleName(file)}: ${message}`);
          if (!isImported) refused.push(file);
        }
      });
      if (refused.length > 0) {
        throw new CommandFailed(
          `${refused.length} of ${files.length} refused: ${refused.map(visibleName).join(', ')}`,
        );
      }
    });
}

interface Importer extends Pick<Inventories, 'readInventory'> {
  readonly store: (inventory: DeviceInventory) => ReturnType<InventoryStore['store']>;
}

interface ImportOutcome {
  readonly isImported: boolean;
  readonly message: string;
}

async function importFile(file: string, { readInventory, store }: Importer): Promise<ImportOutcome> {
  const obstacle = await findObstacle(file);
  if (obstacle !== null) return { isImported: false, message: obstacle };
  const text = await readText(file);
  if (text === null) return { isImported: false, message: 'cannot be read as UTF-8 text' };
  const inventory = readInventory(text);
  if (!inventory.ok) return { isImported: false, message: inventory.error.map(visibleName).join('\n  ') };
  const stored = await store(inventory.value);
  if (!stored.ok) return { isImported: false, message: REFUSALS[stored.error] };
  const { fields, inventoryId } = inventory.value;
  const verb = stored.value.created ? 'added' : 'updated';
  return {
    isImported: true,
    message: `${verb} ${visibleName(fields.hostname ?? inventoryId)} (device ${stored.value.deviceId})`,
  };
}

async function readText(file: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch {
    return null;
  }
}

const REFUSALS: Readonly<Record<InventoryRefusal, string>> = {
  ...TITLE_LIMITS,
  'unknown-organization': 'there is no organization with this id',
  'unknown-site': 'there is no such site in this organization',
  'unknown-device': 'is a partial inventory of an unknown device; import a full one first',
};
