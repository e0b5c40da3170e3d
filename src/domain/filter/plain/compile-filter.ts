/** One call from JSON to a predicate over plain devices, with no service and no database (Contract: §15). */
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type FilterFault, refusedPattern } from '#domain/filter/conditions/filter-fault.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import type { DevicePredicate } from '#domain/filter/evaluate/device-predicate.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/translate-pattern.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type PlainCustomField, plainCatalog } from './plain-catalog.ts';
import type { PlainDevice, PlainInstant } from './plain-device.ts';
import { readInstant, readPlainDevice } from './read-plain-device.ts';

/** What a filter may name beyond the core fields. */
export interface CompileFilterOptions {
  /** The custom fields that the filter may name; default: none. */
  readonly customFields?: readonly PlainCustomField[];
  /** For `matches`, which is a fault without it; `fleetsift/postgres-regex` has one. */
  readonly translatePattern?: TranslatePattern;
}

/**
 * A filter, ready to be asked about one device after another.
 *
 * @param at the instant that relative dates count from, such as `Date.now()`
 * @throws TypeError where a member of the device holds what it cannot hold; the message names it
 */
export interface CompiledFilter {
  (device: PlainDevice, at: PlainInstant): boolean;
  /** The filter as it was understood. */
  readonly conditions: ConditionGroup;
  /** The same about a device that has been read. */
  readonly matches: DevicePredicate;
}

/** The filter that this JSON, parsed, stands for; or every fault in it with its path, in order, at most 100. */
export function compileFilter(
  json: unknown,
  { customFields = [], translatePattern = refuseEvery }: CompileFilterOptions = {},
): Result<CompiledFilter, readonly FilterFault[]> {
  const translate = once(translatePattern);
  const parsed = parseConditions(json, plainCatalog(customFields), (pattern) => {
    const translated = translate(pattern);
    return translated.ok ? null : refusedPattern(translated.error.message);
  });
  if (!parsed.ok) return parsed;
  const compiled = compilePredicate(parsed.value, translate);
  if (!compiled.ok) throw new Error('a regular expression was translated and then refused');
  const matches = compiled.value;
  const filter = (device: PlainDevice, at: PlainInstant) =>
    matches(readPlainDevice(device), readInstant(at, 'at'));
  return ok(Object.assign(filter, { conditions: parsed.value, matches }));
}

const refuseEvery: TranslatePattern = () =>
  err({
    kind: 'untranslatable',
    construct: 'regular expression',
    message: 'compileFilter was given no translatePattern; pass the one of fleetsift/postgres-regex',
  });

/** Patterns are translated where they are checked, and taken from there when the filter is compiled. */
function once(translatePattern: TranslatePattern): TranslatePattern {
  const known = new Map<string, ReturnType<TranslatePattern>>();
  return (pattern) => {
    const translated = known.get(pattern) ?? translatePattern(pattern);
    known.set(pattern, translated);
    return translated;
  };
}
