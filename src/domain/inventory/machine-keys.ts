/** What identifies a machine (Contract: §13). */
import { foldCase } from '#domain/text/fold-case.ts';
import { macKey } from './mac-key.ts';
import { isPlaceholder } from './placeholder.ts';

/** In normal form, so that spellings compare equal. */
export interface MachineKeys {
  readonly serial: string | null;
  readonly uuid: string | null;
  readonly macs: readonly string[];
}

/** As reported or loaded; null means unknown. */
export interface MachineNameplate {
  readonly serialNumber: string | null;
  readonly systemUuid: string | null;
  readonly macAddresses: readonly string[];
}

/** The usable keys; placeholders and shared values are dropped. */
export function machineKeys({ serialNumber, systemUuid, macAddresses }: MachineNameplate): MachineKeys {
  const macs = macAddresses.map(macKey).filter((key) => key !== null);
  return { serial: serialKey(serialNumber), uuid: uuidKey(systemUuid), macs: [...new Set(macs)] };
}

function serialKey(serialNumber: string | null): string | null {
  if (serialNumber === null || isPlaceholder(serialNumber)) return null;
  const isFiller = isOneDigit(serialNumber) || COUNTED.has(serialNumber.trim());
  return isFiller ? null : foldCase(serialNumber);
}

/** Containers report ids that are not UUIDs, so any form is kept. Firmware differs in dashes only. */
function uuidKey(systemUuid: string | null): string | null {
  if (systemUuid === null || isPlaceholder(systemUuid)) return null;
  const folded = foldCase(systemUuid.trim()).replace(/^\{(.*)\}$/, '$1');
  const digits = folded.replaceAll('-', '');
  if (isOneDigit(digits) || SHARED_UUIDS.has(digits)) return null;
  return /^[0-9a-f]{32}$/.test(digits) ? digits : folded;
}

/** Such as `00000000`, `ffff-ffff` and `1111`. */
function isOneDigit(text: string): boolean {
  return /^([0-9a-z])\1*$/i.test(text.replaceAll(/[\s.:_-]/g, ''));
}

/** Counted-out filler. */
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
