/** The number of devices per software title in each organization, so checking the title quota reads no devices. */
import type { InstalledSoftware } from '#domain/device/device.ts';
import type { TitleUsage } from '#domain/device/title-quota.ts';
import type { OrgId } from '#domain/ids.ts';
import { utf8Length } from '#domain/text/code-points.ts';

type Software = readonly InstalledSoftware[];

interface OrganizationTitles {
  readonly devices: Map<string, number>;
  nameBytes: number;
}

export class TitleTable {
  readonly #organizations = new Map<OrgId, OrganizationTitles>();

  add(orgId: OrgId, software: Software): void {
    const titles = this.#organizations.get(orgId) ?? { devices: new Map(), nameBytes: 0 };
    this.#organizations.set(orgId, titles);
    for (const name of namesOf(software)) {
      const count = titles.devices.get(name) ?? 0;
      titles.devices.set(name, count + 1);
      if (count === 0) titles.nameBytes += utf8Length(name);
    }
  }

  remove(orgId: OrgId, software: Software): void {
    const titles = this.#organizations.get(orgId);
    if (titles === undefined) return;
    for (const name of namesOf(software)) {
      const count = titles.devices.get(name) ?? 0;
      if (count > 1) {
        titles.devices.set(name, count - 1);
      } else if (titles.devices.delete(name)) {
        titles.nameBytes -= utf8Length(name);
      }
    }
  }

  /** The organization's titles if a device had `added` instead of `removed`. */
  usageWith(orgId: OrgId, added: Software, removed: Software = []): TitleUsage {
    const { devices, nameBytes } = this.#organizations.get(orgId) ?? NO_TITLES;
    const [coming, going] = [namesOf(added), namesOf(removed)];
    const usage = { titles: devices.size, nameBytes };
    const change = (names: Iterable<string>, by: 1 | -1) => {
      for (const name of names) {
        usage.titles += by;
        usage.nameBytes += by * utf8Length(name);
      }
    };
    change(
      [...coming].filter((name) => !devices.has(name)),
      1,
    );
    change(
      [...going].filter((name) => !coming.has(name) && devices.get(name) === 1),
      -1,
    );
    return usage;
  }

  hasAll(orgId: OrgId, software: Software): boolean {
    const { devices } = this.#organizations.get(orgId) ?? NO_TITLES;
    return software.every(({ name }) => devices.has(name));
  }
}

const NO_TITLES: OrganizationTitles = { devices: new Map(), nameBytes: 0 };

function namesOf(software: Software): ReadonlySet<string> {
  return new Set(software.map(({ name }) => name));
}
