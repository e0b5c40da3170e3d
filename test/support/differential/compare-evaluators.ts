/**
 * Evaluates one filter in every way: by the contract, literally and leaf by leaf; by the compiled filter; by the page,
 * the stream and the explanation of PostgreSQL. All have to find the same devices.
 */
import { isDeepStrictEqual } from 'node:util';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { MAX_EXPLAINED_NODES } from '#application/filters/evaluate/run-explain.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { comparePreviewOrder, type PreviewDevice } from '#domain/device/device-row.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { countNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { COMPLEMENTS } from '#domain/filter/conditions/operator-meanings.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import type { EpochMs } from '#domain/time.ts';
import { patternsIn, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { findWrongExplanation } from './compare-explanations.ts';
import type { DifferentialWorld, Reach } from './differential-world.ts';
import { literalMeaning } from './literal-meaning.ts';

export interface Question {
  readonly reach: Reach;
  /** The filter as in a request. */
  readonly conditions: RawGroup;
  readonly at: EpochMs;
  /** The preview's limit. */
  readonly limit: number;
  /** How often the preview runs: PostgreSQL plans a repeated query once, and in another shape. */
  readonly previews: number;
}

/** How many devices in reach match; or that the in-process evaluator refuses a pattern. */
export type Agreement =
  | { readonly kind: 'agreed'; readonly filter: ConditionGroup; readonly matching: number }
  | { readonly kind: 'untranslatable'; readonly filter: ConditionGroup };

/** Two evaluators gave different answers. The message has the question and some devices that differ. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** Throws `Disagreement` unless all agree. */
export async function compareEvaluators(
  { backend }: Pick<DifferentialWorld, 'backend'>,
  question: Question,
): Promise<Agreement> {
  const { reach, conditions, at, limit, previews } = question;
  const parsed = parseConditions(conditions, reach.catalog);
  if (!parsed.ok) throw disagreement(question, `the filter is refused: ${JSON.stringify(parsed.error)}`);
  const filter = parsed.value;
  const patterns = [...new Set(patternsIn(filter))];
  const translatable = patterns.filter((pattern) => translatePattern(pattern).ok);
  const refused = await backend.checkPatterns(translatable, nextCaller());
  if (refused.size > 0) {
    throw disagreement(question, `PostgreSQL refuses ${JSON.stringify([...refused])}`);
  }
  if (translatable.length < patterns.length) return { kind: 'untranslatable', filter };
  const compiled = compilePredicate(filter, translatePattern);
  if (!compiled.ok) {
    throw disagreement(question, `a pattern is translated and refused: ${JSON.stringify(compiled.error)}`);
  }

  const matching = reach.devices.filter((device) => compiled.value(device, at));
  const meant = literalMeaning(conditions, reach.catalog);
  const literal = reach.devices.filter((device) => meant(device, at)).map(({ id }) => id);
  expectSameDevices(question, 'the contract', literal, matching);
  const request = { filter, scope: reach.scope, at, onBehalfOf: nextCaller() };
  const streamed = (await Array.fromAsync(backend.matcher.streamIds(request))).flat();
  expectSameDevices(question, 'the stream of PostgreSQL', streamed, matching);
  const expected = {
    ok: true,
    value: {
      totalCount: matching.length,
      devices: matching.toSorted(comparePreviewOrder).slice(0, limit).map(toPreviewDevice),
    },
  };
  for (let time = 1; time <= previews; time++) {
    const preview = await backend.matcher.preview(request, limit);
    if (isDeepStrictEqual(preview, expected)) continue;
    throw disagreement(
      question,
      `preview ${time} of PostgreSQL is ${JSON.stringify(preview)}, and should be ${JSON.stringify(expected)}`,
    );
  }
  if (countNodes(filter) <= MAX_EXPLAINED_NODES) {
    const device = reach.devices[calls % Math.max(1, reach.devices.length)] ?? null;
    const wrong = await findWrongExplanation(backend.explainFilter, {
      ...question,
      filter,
      device,
      onBehalfOf: nextCaller(),
    });
    if (wrong !== null) throw disagreement(question, wrong, device === null ? [] : [device.id]);
  }
  return { kind: 'agreed', filter, matching: matching.length };
}

/**
 * Compares a filter of one negative condition with the filter of the complementary operator: on PostgreSQL, every
 * device has to match exactly one of them (Contract: §4, the law).
 */
export async function compareComplements(
  { backend }: Pick<DifferentialWorld, 'backend'>,
  question: Question,
): Promise<void> {
  const { reach, conditions, at } = question;
  const idsOf = async (raw: unknown) => {
    const parsed = parseConditions(raw, reach.catalog);
    if (!parsed.ok) throw disagreement(question, `the filter is refused: ${JSON.stringify(parsed.error)}`);
    const request = { filter: parsed.value, scope: reach.scope, at, onBehalfOf: nextCaller() };
    return (await Array.fromAsync(backend.matcher.streamIds(request))).flat();
  };
  const both = await Promise.all([idsOf(conditions), idsOf(toComplement(conditions))]);
  expectSameDevices(question, 'the condition with its complement', both.flat(), reach.devices);
}

function toComplement(conditions: Question['conditions']): Question['conditions'] {
  const [condition] = conditions.conditions;
  const operator = condition !== undefined && 'field' in condition ? condition.operator : '';
  if (!isNegative(operator)) throw new Error(`${operator} has no complement`);
  return { operator: 'AND', conditions: [{ ...condition, operator: COMPLEMENTS[operator] } as RawCondition] };
}

function isNegative(operator: string): operator is keyof typeof COMPLEMENTS {
  return Object.hasOwn(COMPLEMENTS, operator);
}

/** Connections are shared fairly among callers, so a single caller would not get all of them. */
let calls = 0;
function nextCaller(): string {
  calls++;
  return `caller ${calls % 8}`;
}

function expectSameDevices(
  question: Question,
  evaluator: string,
  found: readonly Device['id'][],
  matching: readonly Device[],
): void {
  const expected = new Set(matching.map(({ id }) => id));
  const extra = found.filter((id) => !expected.has(id));
  const missing = [...expected.difference(new Set(found))];
  if (extra.length + missing.length > 0) {
    throw disagreement(question, `${evaluator} has ${extra.length} too many and ${missing.length} too few`, [
      ...extra,
      ...missing,
    ]);
  }
  if (found.length !== expected.size) throw disagreement(question, `${evaluator} names devices twice`);
}

function toPreviewDevice({ id, hostname, displayName, osType, status, lastSeenAt }: Device): PreviewDevice {
  return { id, hostname, displayName, osType, status, lastSeenAt };
}

function disagreement(
  { reach, conditions, at }: Question,
  what: string,
  ids: readonly Device['id'][] = [],
): Disagreement {
  const devices = reach.devices.filter(({ id }) => ids.includes(id)).slice(0, 2);
  return new Disagreement(
    [
      what,
      `filter: ${shorten(JSON.stringify(conditions))}`,
      `scope: ${describeScope(reach.scope)}`,
      `at: ${new Date(at).toISOString()}`,
      ...devices.map((device) => `device: ${shorten(describeDevice(device))}`),
    ].join('\n'),
  );
}

function describeScope(scope: AccessScope): string {
  return JSON.stringify(scope);
}

function describeDevice(device: Device): string {
  return JSON.stringify({ ...device, custom: Object.fromEntries(device.custom) });
}

function shorten(text: string): string {
  return text.length > 6000 ? `${text.slice(0, 6000)}… (${text.length} characters)` : text;
}
