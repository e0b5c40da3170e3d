/** Unknown keys, and keys without their colon (Contract: §11). */
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { keyOfTitle } from '#domain/filter/catalog/title-versions.ts';
import type { Place, TextFault } from '#domain/filter/text/text-fault.ts';
import {
  endOfKey,
  type FindKey,
  styleOf,
  unclosedTitle,
  writableKeys,
} from '#domain/filter/text/text-keys.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { endOfMatch, skipValue } from './scan-stretch.ts';

/** The fault of a `key` that stands before a colon but belongs to no field. */
export function unknownKey(text: string, key: string, place: Place, catalog: FieldCatalog): TextFault {
  const code = 'unknown_field';
  const unclosed = unclosedTitle(text, place.end);
  if (unclosed !== null) {
    const { start, name } = unclosed;
    const message = `The name in software[${name}.version has no closing "]".`;
    return { start, end: place.end, code, message, suggestions: [keyOfTitle(name)] };
  }
  const near = nearestWord(key, writableKeys(catalog));
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  const message = `No field ${describe(key)}.${meant} To search for text with a colon, put it in quotes.`;
  return { ...place, code, message, suggestions: near === null ? [] : [near] };
}

/** Finds `cpu>90` instead of `cpu:>90`. A user who searches for that text must put it in quotes. */
export function missingColon(text: string, start: number, findKey: FindKey): TextFault | null {
  const keyEnd = endOfKey(text, start, /[^\s()":<>=]+/y);
  const signEnd = endOfMatch(/[<>]=?|={1,2}/y, text, keyEnd);
  const key = text.slice(start, keyEnd);
  const entry = signEnd === keyEnd ? undefined : findKey(key);
  if (entry === undefined) return null;
  const end = skipValue(text, signEnd);
  const sign = text.slice(keyEnd, signEnd).replace('==', '=');
  const signs: readonly string[] = entry.kind === 'field' ? styleOf(entry.field).signs : [];
  const kept = signs.includes(sign) ? sign : '';
  const message = `The colon after ${key} is missing. To search for this text, put it in quotes.`;
  const suggestions = [`${key}:${kept}${text.slice(signEnd, end)}`];
  return { start, end, code: 'missing_colon', message, suggestions };
}
