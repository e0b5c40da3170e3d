/** Devices are counted per title and version, so checking the quota of titles reads no devices. */
import type { InstalledSoftware } from '#domain/device/device.ts';
import { softwareEntries } from '#domain/device/installed-software.ts';
import { changeUsage, type TitleUsage } from '#domain/device/title-quota.ts';
import type { OrgId } from '#domain/ids.ts';

type Software = readonly InstalledSoftware[];

interface OrganizationTitles {
  /** The number of devices, by `entryKey`. */
  readonly devices: Map<string, number>;
  usage: TitleUsage;
}

export class TitleTable {
  readonly #organizations = new Map<OrgId, OrganizationTitles>();

  add(orgId: OrgId, software: Software): void {
    const titles = this.#organizations.get(orgId) ?? { devices: new Map(), usage: NOTHING };
    this.#organizations.set(orgId, titles);
    for (const [key, entry] of softwareEntries(software)) {
      const count = titles.devices.get(key) ?? 0;
      titles.devices.set(key, count + 1);
      if (count === 0) titles.usage = changeUsage(titles.usage, [entry], 1);
    }
  }

  remove(orgId: OrgId, software: Software): void {
    const titles = this.#organizations.get(orgId);
    if (titles === undefined) return;
    for (const [key, entry] of softwareEntries(software)) {
      const count = titles.devices.get(key) ?? 0;
      if (count > 1) {
        titles.devices.set(key, count - 1);
      } else if (titles.devices.delete(key)) {
        titles.usage = changeUsage(titles.usage, [entry], -1);
      }
    }
  }

  /** The organization's usage if one device had `added` instead of `removed`. */
  usageWith(orgId: OrgId, added: Software, removed: Software = []): TitleUsage {
    const { devices, usage } = this.#organizations.get(orgId) ?? NO_TITLES;
    const [coming, going] = [softwareEntries(added), softwareEntries(removed)];
    const gained = [...coming].filter(([key]) => !devices.has(key));
    const lost = [...going].filter(([key]) => !coming.has(key) && devices.get(key) === 1);
    return changeUsage(changeUsage(usage, entriesOf(gained), 1), entriesOf(lost), -1);
  }

  hasAll(orgId: OrgId, software: Software): boolean {
    const { devices } = this.#organizations.get(orgId) ?? NO_TITLES;
    return softwareEntries(software)
      .keys()
      .every((key) => devices.has(key));
  }
}

const NOTHING: TitleUsage = { titles: 0, versions: 0, bytes: 0 };

const NO_TITLES: OrganizationTitles = { devices: new Map(), usage: NOTHING };

function entriesOf(pairs: readonly (readonly [string, InstalledSoftware])[]): readonly InstalledSoftware[] {
  return pairs.map(([, entry]) => entry);
}
