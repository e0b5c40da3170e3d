/** Finds devices of one organization that are probably one machine (Contract: §10, GET /devices/duplicates). */
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { type MachineKeys, ruleEachOtherOut, rulingKeys } from './machine-keys.ts';

/** What duplicates have in common, the surest sign first. */
export const DUPLICATE_SIGNS = ['serial', 'uuid', 'mac', 'hostname'] as const;
export type DuplicateSign = (typeof DUPLICATE_SIGNS)[number];

export interface KeyedDevice {
  readonly id: DeviceId;
  readonly orgId: OrgId;
  /** Case-folded. */
  readonly hostname: string;
  /** Present and past keys. */
  readonly keys: MachineKeys;
}

export interface DuplicateGroup extends DuplicatePosition {
  readonly orgId: OrgId;
  /** In ascending order. */
  readonly ids: readonly DeviceId[];
  /** The signs that at least two of the devices share, the surest first. */
  readonly because: readonly DuplicateSign[];
}

/** Groups are ordered by rank, the highest first, then by first id. */
export interface DuplicatePosition {
  /** One bit for each sign. The surest sign has the highest bit. */
  readonly rank: number;
  readonly firstId: DeviceId;
}

export function compareDuplicates(a: DuplicatePosition, b: DuplicatePosition): number {
  return b.rank - a.rank || (a.firstId === b.firstId ? 0 : a.firstId < b.firstId ? -1 : 1);
}

/**
 * In the order of `compareDuplicates`. Devices that share a sign are in one group, unless their serial numbers show
 * different machines. If a device has none, UUIDs decide in the same way. A device that fits several groups joins one.
 */
export function findDuplicates(devices: readonly KeyedDevice[]): readonly DuplicateGroup[] {
  const groups = new Groups(devices.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  for (const sign of DUPLICATE_SIGNS) {
    for (const sharers of sharersOf(groups.devices, sign)) groups.join(sharers);
  }
  return groups.list().flatMap(toGroup).sort(compareDuplicates);
}

function toGroup(members: readonly KeyedDevice[]): readonly DuplicateGroup[] {
  const [first, second] = members;
  if (first === undefined || second === undefined) return [];
  const because = DUPLICATE_SIGNS.filter((sign) => sharersOf(members, sign).length > 0);
  const rank = DUPLICATE_SIGNS.reduce((bits, sign) => bits * 2 + Number(because.includes(sign)), 0);
  return [{ orgId: first.orgId, ids: members.map(({ id }) => id), because, rank, firstId: first.id }];
}

/** The devices of an organization that share a value of the sign, one list per value. */
function sharersOf(
  devices: readonly KeyedDevice[],
  sign: DuplicateSign,
): readonly (readonly KeyedDevice[])[] {
  const sharers = new Map<string, KeyedDevice[]>();
  for (const device of devices) {
    for (const value of new Set(VALUES[sign](device))) {
      const name = `${device.orgId} ${value}`;
      const others = sharers.get(name);
      if (others === undefined) sharers.set(name, [device]);
      else others.push(device);
    }
  }
  return [...sharers.values()].filter(({ length }) => length > 1);
}

const VALUES: Readonly<Record<DuplicateSign, (device: KeyedDevice) => readonly string[]>> = {
  serial: ({ keys }) => keys.serials,
  uuid: ({ keys }) => keys.uuids,
  mac: ({ keys }) => keys.macs,
  hostname: ({ hostname }) => [hostname],
};

/**
 * Limits the groups that a device is compared with, because thousands of machines may have one host name and
 * different serial numbers.
 */
const MOST_COMPARED = 10;

interface Group {
  readonly members: KeyedDevice[];
  /** These are sets for speed: a group of thousands of cloned machines may have as many UUIDs. */
  readonly keys: ReturnType<typeof rulingKeys>;
}

class Groups {
  readonly devices: readonly KeyedDevice[];
  readonly #groups: Map<DeviceId, Group>;

  constructor(devices: readonly KeyedDevice[]) {
    this.devices = devices;
    this.#groups = new Map(
      devices.map((device) => [device.id, { members: [device], keys: rulingKeys(device.keys) }]),
    );
  }

  /** Joins the groups of devices that share a sign, unless their keys show different machines. */
  join(sharers: readonly KeyedDevice[]): void {
    const apart: DeviceId[] = [];
    for (const { id } of sharers) {
      const other = apart.slice(0, MOST_COMPARED).find((each) => this.#unite(each, id));
      if (other === undefined) apart.push(id);
    }
  }

  list(): readonly (readonly KeyedDevice[])[] {
    const all = [...new Set(this.#groups.values())];
    return all.map(({ members }) => members.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  }

  #unite(a: DeviceId, b: DeviceId): boolean {
    const [one, two] = [this.#groupOf(a), this.#groupOf(b)];
    if (one === two) return true;
    if (ruleEachOtherOut(one.keys, two.keys)) return false;
    // The smaller group moves, so each device moves only a few times.
    const [small, large] = one.members.length < two.members.length ? [one, two] : [two, one];
    for (const device of small.members) {
      large.members.push(device);
      this.#groups.set(device.id, large);
    }
    for (const serial of small.keys.serials) large.keys.serials.add(serial);
    for (const uuid of small.keys.uuids) large.keys.uuids.add(uuid);
    return true;
  }

  #groupOf(id: DeviceId): Group {
    const group = this.#groups.get(id);
    if (group === undefined) throw new Error(`there is no device ${id}`);
    return group;
  }
}
