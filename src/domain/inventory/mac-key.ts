/**
 * The address as `aa:bb:cc:dd:ee:ff`; null if it does not identify a machine: malformed, multicast, locally
 * administered or of a virtual adapter.
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

/** Twelve lower-case hexadecimal digits; null for spellings that `macSpellings` does not list. */
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

/** Bits of the first byte (IEEE 802). Broadcast has the group bit, too. */
const GROUP = 0b01;
const MADE_UP = 0b10;

/** Prefixes of hypervisors, and whole addresses that VPN adapters share across machines. */
const VIRTUAL: readonly string[] = [
  // VMware; guests have them as well.
  ...['000569', '000c29', '001c14', '005056'],
  // Hyper-V, VirtualBox, Parallels, Xen, Virtual Iron, Virtuozzo.
  ...['00155d', '080027', '001c42', '00163e', '000f4b', '001851'],
  // TAP-Windows, Cisco AnyConnect, FortiClient, Palo Alto GlobalProtect.
  ...['00ff', '00059a3c7a00', '00090ffe0001', '00090faa0001'],
];
