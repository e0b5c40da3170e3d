/** Compiles JSON into a predicate over plain devices, without a service or database (Contract: §15). */
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

/** Options of `compileFilter`. */
export interface CompileFilterOptions {
  /** Default: none. */
  readonly customFields?: readonly PlainCustomField[];
  /** For `matches`, which is a fault without it. `fleetsift/postgres-regex` provides one. */
  readonly translatePattern?: TranslatePattern;
}

/**
 * A predicate over devices.
 * @param at the instant for relative dates, such as `Date.now()`
 * @throws TypeError naming the member of the device that has a wrong type
 */
export interface CompiledFilter {
  (device: PlainDevice, at: PlainInstant): boolean;
  /** The parsed filter. */
  readonly conditions: ConditionGroup;
  /** The same predicate for devices read with `readPlainDevice`. */
  readonly matches: DevicePredicate;
}

/** The compiled filter, or up to 100 faults with their paths, in order. */
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

/** Translates each pattern once, for checking and compiling. */
function once(translatePattern: TranslatePattern): TranslatePattern {
  const known = new Map<string, ReturnType<TranslatePattern>>();
  return (pattern) => {
    const translated = known.get(pattern) ?? translatePattern(pattern);
    known.set(pattern, translated);
    return translated;
  };
}
