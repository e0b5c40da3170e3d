import { type ApplicationError, type FieldError, toValidationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import {
  type CheckConditions,
  loadCatalog,
  loadInner,
  notePatterns,
  type PatternFaultDeps,
  withPatternFaults,
} from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import type { InnerFilterDeps } from '#application/filters/inner-filters.ts';
import { inSlices, letOthersGoFirst } from '#application/in-slices.ts';
import type { NamedKind, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { CORE_CATALOG, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { parseConditionsInSteps, type RefusePattern } from '#domain/filter/conditions/parse-conditions.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { parseFilterTextInSteps } from '#domain/filter/text/parse/parse-filter-text.ts';
import type { ResolveName } from '#domain/filter/text/parse/read-term.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import type { TextFault } from '#domain/filter/text/text-fault.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';

interface CheckedText {
  readonly conditions: ConditionJson;
  readonly filter: ConditionGroup;
}

/**
 * Understands the unchecked text `q` in the organizations of the scope, or returns its faults (at most 100)
 * with their places. The work counts towards the share of the user `onBehalfOf`.
 */
export type CheckText = (
  scope: AccessScope,
  q: unknown,
  onBehalfOf: string,
  owner?: Owner | null,
) => Promise<Result<CheckedText, ApplicationError>>;

interface CheckTextDeps extends PatternFaultDeps, InnerFilterDeps {
  readonly namesInReach: NamesInReach;
}

export function makeCheckText(deps: CheckTextDeps): CheckText {
  return async (scope, q, onBehalfOf, owner = null) => {
    if (typeof q !== 'string') return err(toValidationError([NOT_A_TEXT]));
    const unstorable = unstorableReason(q);
    if (unstorable !== null) {
      return err(toValidationError([{ path: 'q', code: 'invalid_value', message: `q ${unstorable}` }]));
    }
    // The first reading shows whether custom fields or names are needed; most texts need neither.
    const wanted = new Set<NamedKind>();
    const noteWanted: ResolveName = ({ key }) => {
      const kind = KINDS_OF_NAMED.get(key);
      if (kind !== undefined) wanted.add(kind);
      return [];
    };
    const patterns = new Set<string>();
    const note = notePatterns(patterns);
    const first = await inSlices(parseFilterTextInSteps(q, CORE_CATALOG, noteWanted, note));
    const fields = first.ok ? CORE_CATALOG : await loadCatalog(deps.customFields, scope);
    const resolveName = await loadNames(deps.namesInReach, scope, wanted);
    // Inner filters are loaded by id, so their names in the text are resolved first.
    const named = /filter:/i.test(q)
      ? await inSlices(parseFilterTextInSteps(q, fields, resolveName, note))
      : first;
    const withInner = await loadInner(deps, scope, named.ok ? named.value : null, owner);
    const catalog = withInner(fields);
    const read = (refusePattern: RefusePattern) =>
      inSlices(parseFilterTextInSteps(q, catalog, resolveName, refusePattern));
    const text = await withPatternFaults(
      deps,
      patterns,
      onBehalfOf,
      first.ok && named === first ? first : await read(note),
      read,
    );
    if (!text.ok) return err(toTextError(text.error));
    return ok({ conditions: text.value, filter: await understand(text.value, catalog) });
  };
}

const NOT_A_TEXT: FieldError = {
  path: 'q',
  code: 'value_required',
  message: 'q must be a text: a filter such as "status:online tags:vip"',
};

const KINDS_OF_NAMED: ReadonlyMap<string, NamedKind> = new Map([
  ['orgId', 'organization'],
  ['siteId', 'site'],
  ['filter', 'filter'],
]);

/** Finds ids by name, ignoring case. */
async function loadNames(
  namesInReach: NamesInReach,
  scope: AccessScope,
  wanted: ReadonlySet<NamedKind>,
): Promise<ResolveName> {
  const idsByName = new Map<string, string[]>();
  for (const kind of wanted) {
    for (const { id, name } of await namesInReach(scope, kind)) {
      const key = `${kind} ${foldCase(name)}`;
      const ids = idsByName.get(key);
      if (ids === undefined) idsByName.set(key, [id]);
      else ids.push(id);
    }
  }
  return ({ key }, name) => idsByName.get(`${KINDS_OF_NAMED.get(key)} ${foldCase(name)}`) ?? [];
}

/** The parser uses the same catalog, so a fault in its output is a bug. */
async function understand(conditions: ConditionJson, catalog: FieldCatalog): Promise<ConditionGroup> {
  const parsed = await inSlices(parseConditionsInSteps(conditions, catalog));
  if (parsed.ok) return parsed.value;
  throw new Error(`the conditions of a filter text are invalid: ${parsed.error[0]?.message}`);
}

/** The path of every fault is `q`, the name of the parameter or body member. */
function toTextError(faults: readonly TextFault[]): ApplicationError {
  return toFilterError(
    faults.map(({ start, end, code, message, suggestions }) => ({
      path: 'q',
      code,
      message,
      start,
      end,
      suggestions,
    })),
  );
}

/** A body must have exactly one of `conditions` and `q`. */
export async function checkConditionsOrText(
  deps: { readonly checkConditions: CheckConditions; readonly checkText: CheckText },
  { caller: { userId } }: Call,
  scope: AccessScope,
  { conditions, q }: { readonly conditions: unknown; readonly q: unknown },
  owner: Owner | null = null,
): Promise<Result<ConditionGroup, ApplicationError>> {
  if (q === undefined) {
    const checked = await deps.checkConditions(scope, conditions, userId, { owner });
    return checked.ok ? checked : err(toFilterError(checked.error));
  }
  if (conditions !== undefined) return err(toFilterError([BOTH]));
  const checked = await deps.checkText(scope, q, userId, owner);
  return checked.ok ? ok(checked.value.filter) : checked;
}

const BOTH: FieldError = {
  path: 'q',
  code: 'value_not_allowed',
  message: 'send either conditions or q; both were sent',
};

// /filters/parse (Contract: §11).

export interface ParsedText {
  /** As JSON, valid in the caller's organizations. */
  readonly conditions: ConditionJson;
  /** The canonical text, the same however the conditions were written. */
  readonly q: string;
}

/** `q` is unchecked. */
export type ParseText = (call: Call, q: unknown) => Promise<Result<ParsedText, ApplicationError>>;

export function makeParseText(deps: { readonly checkText: CheckText }): ParseText {
  return async ({ caller }, q) => {
    const checked = await deps.checkText(caller.scope, q, caller.userId);
    if (!checked.ok) return checked;
    const { conditions, filter } = checked.value;
    await letOthersGoFirst();
    return ok({ conditions, q: formatConditions(filter) });
  };
}

// POST /filters/format (Contract: §11).

/** The text matches the same devices when it is parsed again. `conditions` is unchecked. */
export type FormatText = (call: Call, conditions: unknown) => Promise<Result<string, ApplicationError>>;

export function makeFormatText(deps: { readonly checkConditions: CheckConditions }): FormatText {
  return async ({ caller }, conditions) => {
    const checked = await deps.checkConditions(caller.scope, conditions, caller.userId);
    if (!checked.ok) return err(toFilterError(checked.error));
    await letOthersGoFirst();
    return ok(formatConditions(checked.value));
  };
}
