/** Columns derived from texts and custom values when a row is written, so that queries need not derive them. */
import type { CustomValue } from '#domain/device/device.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';

/** The folded text, or null if folding changes nothing. */
export function foldedCompanion(text: string | null): string | null {
  if (text === null) return null;
  const folded = foldCase(text);
  return folded === text ? null : folded;
}

/** Column custom: the values unchanged; null if there are none. */
export function customJson(custom: ReadonlyMap<string, CustomValue>): string | null {
  return custom.size === 0 ? null : JSON.stringify(Object.fromEntries(custom));
}

/** Column custom_derived: folded texts that differ (`lc`), and the instants of texts that are dates (`at`). */
export function customDerivedJson(custom: ReadonlyMap<string, CustomValue>): string | null {
  const lc: [string, string][] = [];
  const at: [string, number][] = [];
  for (const [key, value] of custom) {
    if (typeof value !== 'string') continue;
    const folded = foldedCompanion(value);
    if (folded !== null) lc.push([key, folded]);
    const instant = parseIsoInstant(value);
    if (instant !== null) at.push([key, instant.epochMs]);
  }
  if (lc.length === 0 && at.length === 0) return null;
  return JSON.stringify({
    ...(lc.length > 0 && { lc: Object.fromEntries(lc) }),
    ...(at.length > 0 && { at: Object.fromEntries(at) }),
  });
}
