/** When a row is written, folded texts, version keys and dates are derived from its values. */
import type { CustomValue } from '#domain/device/device.ts';
import { versionKey } from '#domain/filter/values/version-key.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';

/** Returns null if folding changes nothing. */
export function foldedCompanion(text: string | null): string | null {
  if (text === null) return null;
  const folded = foldCase(text);
  return folded === text ? null : folded;
}

export function versionKeyOf(text: string | null): string | null {
  return text === null ? null : versionKey(text);
}

export function customColumn(
  custom: ReadonlyMap<string, CustomValue>,
): Readonly<Record<string, CustomValue>> | null {
  return custom.size === 0 ? null : Object.fromEntries(custom);
}

export interface DerivedCustom {
  readonly lc?: Readonly<Record<string, string>>;
  readonly at?: Readonly<Record<string, EpochMs>>;
}

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

/** Prints an array literal with every text quoted. MikroORM leaves texts bare, so `null` would become NULL. */
export function arrayText(values: readonly (string | number | null)[]): string {
  let text = '';
  for (const value of values) {
    if (text !== '') text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'number') text += value;
    else text += `"${NEEDS_ESCAPE.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  }
  return `{${text}}`;
}

const NEEDS_ESCAPE = /["\\]/;
