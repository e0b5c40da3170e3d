import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { firstText } from './first-text.ts';

/** Each name and version once; agents repeat them per architecture and registration. */
export function software({ softwares = [] }: InventoryContent): readonly InstalledSoftware[] {
  const distinct = new Map<string, InstalledSoftware>();
  for (const entry of softwares) {
    const name = firstText(entry.name);
    const version = firstText(entry.version);
    if (name !== null) distinct.set(JSON.stringify([name, version]), { name, version });
  }
  return [...distinct.values()];
}
