/** Columns derived from texts and custom values when a row is written, so that queries need not derive them. */
import type { CustomValue } from '#domain/device/device.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';

/** The folded text, or null if folding changes nothing. */
export function foldedCompanion(text: string | null): string | null {
  if (text === null) return null;
  const folded = foldCase(text);
  return folded === text ? null : folded;
}

/** Column custom: the values unchanged; null if there are none. */
export function customColumn(
  custom: ReadonlyMap<string, CustomValue>,
): Readonly<Record<string, CustomValue>> | null {
  return custom.size === 0 ? null : Object.fromEntries(custom);
}

/** Values derived from custom text values, by key. */
export interface DerivedCustom {
  /** Folded texts that differ. */
  readonly lc?: Readonly<Record<string, string>>;
  /** The instants of texts that are dates. */
  readonly at?: Readonly<Record<string, EpochMs>>;
}

/** Column custom_derived; null if there is nothing to derive. */
export function customDerivedColumn(custom: ReadonlyMap<string, CustomValue>): DerivedCustom | null {
  const lc: [string, string][] = [];
  const at: [string, EpochMs][] = [];
  for (const [key, value] of custom) {
    if (typeof value !== 'string') continue;
    const folded = foldedCompanion(value);
    if (folded !== null) lc.push([key, folded]);
    const instant = parseIsoInstant(value);
    if (instant !== null) at.push([key, instant.epochMs]);
  }
  if (lc.length === 0 && at.length === 0) return null;
  return {
    ...(lc.length > 0 && { lc: Object.fromEntries(lc) }),
    ...(at.length > 0 && { at: Object.fromEntries(at) }),
  };
}
