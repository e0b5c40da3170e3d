/** What identifies a machine (Contract: §13). */
import { foldCase } from '#domain/text/fold-case.ts';

/**
 * `aa:bb:cc:dd:ee:ff`, or null if the address identifies no machine: malformed, multicast, locally administered or of
 * a virtual adapter.
 */
export function macKey(address: string): string | null {
  const digits = foldedDigits(address);
  if (digits === null || digits === NO_ADDRESS) return null;
  const flags = Number.parseInt(digits.slice(0, 2), 16);
  const isOwn = (flags & (GROUP | MADE_UP)) === 0 && !VIRTUAL.some((prefix) => digits.startsWith(prefix));
  return isOwn ? (digits.match(/../g) ?? []).join(':') : null;
}

/** Every accepted spelling of the address. */
export function macSpellings(key: string): readonly string[] {
  const digits = key.replaceAll(':', '');
  const dotted = (digits.match(/..../g) ?? []).join('.');
  const folded = [key, key.replaceAll(':', '-'), digits, dotted];
  return [...folded, ...folded.map((spelling) => spelling.toUpperCase())];
}

/** Null for spellings that `macSpellings` does not list. */
function foldedDigits(address: string): string | null {
  const spelled = SPELLINGS.some((spelling) => spelling.test(address));
  const isOneCase = address === address.toLowerCase() || address === address.toUpperCase();
  return spelled && isOneCase ? address.toLowerCase().replaceAll(/[:.-]/g, '') : null;
}

const SPELLINGS: readonly RegExp[] = [
  /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i,
  /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}$/i,
  /^[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}$/i,
  /^[0-9a-f]{12}$/i,
];

const NO_ADDRESS = '000000000000';

/** Bits of an address's first byte (IEEE 802): multicast or broadcast, and locally administered. */
const GROUP = 0b01;
const MADE_UP = 0b10;

/** Prefixes of hypervisors and VPN adapters, and whole addresses that VPN adapters share across machines. */
const VIRTUAL: readonly string[] = [
  // VMware and its guests.
  ...['000569', '000c29', '001c14', '005056'],
  // Hyper-V, VirtualBox, Parallels, Xen, Virtual Iron, Virtuozzo.
  ...['00155d', '080027', '001c42', '00163e', '000f4b', '001851'],
  // TAP-Windows, Cisco AnyConnect, FortiClient, Palo Alto GlobalProtect.
  ...['00ff', '00059a3c7a00', '00090ffe0001', '00090faa0001'],
];

/** Whether the text stands for no value, such as "To be filled by O.E.M." or nothing at all. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}

const PLACEHOLDER =
  /^(?:|to be filled by o\.?e\.?m\.?|o\.?e\.?m\.?|(?:system|chassis|base ?board|product) (?:manufacturer|product name|serial(?: number)?)|default(?: string)?|not? (?:specified|available|applicable|provided|defined|settable|present|asset tag)|none|null|n\/?a|unknown|undefined|invalid|empty|(?:serial|s\/?n)(?: ?number)?|x+|0+|[.-]+)$/i;

/** Keys in normal form, so that different spellings compare equal. */
export interface MachineKeys {
  readonly serials: readonly string[];
  readonly uuids: readonly string[];
  readonly macs: readonly string[];
}

/** Kinds of keys that are stored to recognize a device. */
export const MACHINE_KEY_KINDS = ['serial', 'uuid', 'mac'] as const;

/** A present or past key of a device, in normal form. */
export interface RememberedKey {
  readonly kind: (typeof MACHINE_KEY_KINDS)[number];
  readonly key: string;
}

/** A machine's identifiers, current or earlier, as reported or loaded (not normalized). Null means unknown. */
export interface MachineNameplate {
  readonly serialNumbers: readonly (string | null)[];
  readonly systemUuids: readonly (string | null)[];
  readonly macAddresses: readonly string[];
}

/** Each usable key once, without placeholders and shared values. */
export function machineKeys({ serialNumbers, systemUuids, macAddresses }: MachineNameplate): MachineKeys {
  const keysOf = (key: (text: string) => string | null, texts: readonly (string | null)[]) => [
    ...new Set(texts.flatMap((text) => (text === null ? [] : (key(text) ?? [])))),
  ];
  return {
    serials: keysOf(serialKey, serialNumbers),
    uuids: keysOf(uuidKey, systemUuids),
    macs: keysOf(macKey, macAddresses),
  };
}

/** Drops placeholders again, because their rules may have changed since the keys were stored. */
export function fromRemembered(remembered: readonly RememberedKey[]): MachineKeys {
  const textsOf = (wanted: RememberedKey['kind']) =>
    remembered.filter(({ kind }) => kind === wanted).map(({ key }) => key);
  return machineKeys({
    serialNumbers: textsOf('serial'),
    systemUuids: textsOf('uuid'),
    macAddresses: textsOf('mac'),
  });
}

export function joinKeys(a: MachineKeys, b: MachineKeys): MachineKeys {
  return combine(a, b, (these, those) => [...new Set([...these, ...those])]);
}

export function lostKeys(before: MachineKeys, after: MachineKeys): MachineKeys {
  return combine(before, after, (these, those) => these.filter((key) => !those.includes(key)));
}

function combine(
  a: MachineKeys,
  b: MachineKeys,
  make: (these: readonly string[], those: readonly string[]) => readonly string[],
): MachineKeys {
  return {
    serials: make(a.serials, b.serials),
    uuids: make(a.uuids, b.uuids),
    macs: make(a.macs, b.macs),
  };
}

export function toRemembered({ serials, uuids, macs }: MachineKeys): readonly RememberedKey[] {
  const ofKind = (kind: RememberedKey['kind'], keys: readonly string[]) => keys.map((key) => ({ kind, key }));
  return [...ofKind('serial', serials), ...ofKind('uuid', uuids), ...ofKind('mac', macs)];
}

/** Keys that can tell two machines apart. MAC addresses cannot. */
export interface RulingKeys {
  readonly serials: ReadonlySet<string>;
  readonly uuids: ReadonlySet<string>;
}

/**
 * Whether the keys show two machines: both sides have serial numbers and share none. If a side has no serial
 * number, UUIDs decide in the same way (Contract: §13).
 */
export function areOtherMachines(a: MachineKeys, b: MachineKeys): boolean {
  return ruleEachOtherOut(rulingKeys(a), rulingKeys(b));
}

export function rulingKeys({ serials, uuids }: MachineKeys) {
  return { serials: new Set(serials), uuids: new Set(uuids) };
}

/** Whether `a` and `b` are keys of different machines. Each may hold the keys of many devices. */
export function ruleEachOtherOut(a: RulingKeys, b: RulingKeys): boolean {
  if (a.serials.size > 0 && b.serials.size > 0) return !share(a.serials, b.serials);
  return a.uuids.size > 0 && b.uuids.size > 0 && !share(a.uuids, b.uuids);
}

function serialKey(serialNumber: string): string | null {
  if (isPlaceholder(serialNumber)) return null;
  const isFiller = isOneDigit(serialNumber) || COUNTED.has(serialNumber.trim());
  return isFiller ? null : foldCase(serialNumber);
}

/** Keeps ids of any form, because containers report some that are not UUIDs. UUIDs lose their dashes. */
function uuidKey(systemUuid: string): string | null {
  if (isPlaceholder(systemUuid)) return null;
  const folded = foldCase(systemUuid.trim()).replace(/^\{(.*)\}$/, '$1');
  const digits = folded.replaceAll('-', '');
  if (isOneDigit(digits) || SHARED_UUIDS.has(digits)) return null;
  return /^[0-9a-f]{32}$/.test(digits) ? digits : folded;
}

/** Whether one character is repeated, as in `00000000` and `ffff-ffff`. */
function isOneDigit(text: string): boolean {
  return /^([0-9a-z])\1*$/i.test(text.replaceAll(/[\s.:_-]/g, ''));
}

const COUNTED: ReadonlySet<string> = new Set([
  '0123456789',
  '1234567890',
  '123456789',
  '12345678',
  '1234567',
]);

/** UUIDs that vendors put on every board, without dashes. */
const SHARED_UUIDS: ReadonlySet<string> = new Set([
  '03000200040005000006000700080009',
  '00020003000400050006000700080009',
  '030201000504070608090a0b0c0d0e0f',
  '000102030405060708090a0b0c0d0e0f',
  '123456781234567890abcddeefaabbcc',
  'fefefefefefefefefefefefefefefefe',
]);

/** Node 20 has no `Set.isDisjointFrom`. */
function share(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const value of small) if (large.has(value)) return true;
  return false;
}
