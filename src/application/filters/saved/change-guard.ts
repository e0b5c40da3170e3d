/** Guards of subscriptions stop filter changes that move many devices (Contract: §18). */
import type { ApplicationError, FieldError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type CheckConditionsDeps, makeCheckConditions } from '#application/filters/check-conditions.ts';
import type { MeasureImpact } from '#application/filters/evaluate/filter-impact.ts';
import { toApplicationError } from '#application/filters/evaluate/run-preview.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { Comparison, DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { workFor } from '#application/work-for.ts';
import { namedIn } from '#domain/filter/catalog/inner-filters.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { exceedsGuard, type Subscription } from '#domain/membership/subscription.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isObject } from '#domain/text/json-text.ts';
import { type CheckSavedFilterDeps, checkSavedFilter, coverageOf } from './read-filter.ts';

/** The impact that the caller has seen and confirms. */
export interface Confirmation {
  readonly version: number;
  readonly entering: number;
  readonly leaving: number;
}

/** Null if no confirmation was sent. */
export function parseConfirmation(sent: unknown): Result<Confirmation | null, readonly FieldError[]> {
  if (sent === undefined || sent === null) return ok(null);
  const { version, entering, leaving } = isObject(sent) ? sent : {};
  if (isCount(version) && isCount(entering) && isCount(leaving)) return ok({ version, entering, leaving });
  const message = 'confirm must have version, entering and leaving, as the impact has them';
  return err([{ path: 'confirm', code: 'invalid_value', message }]);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** `next` is the filter after the change; null is a deletion. */
type Refuse = (filter: SavedFilter, next: SavedFilter | null) => Promise<ApplicationError | null>;

/**
 * Runs `save` in a transaction. If guards must decide, rolls it back, because counting is slow and must hold
 * no lock. Then runs `save` again with the decision. If guards or filters have changed since the decision,
 * the guards decide again.
 *
 * `save` must lock the links and the filter, and then call `refuse` last.
 */
export type SaveGuarded = <T>(
  call: Call,
  confirmation: Confirmation | null,
  save: (tx: Transaction, refuse: Refuse) => Promise<Result<T, ApplicationError>>,
) => Promise<Result<T, ApplicationError>>;

interface ChangeGuardDeps extends CheckSavedFilterDeps, CheckConditionsDeps {
  readonly filters: Pick<SavedFilterReader, 'findEach' | 'withInner'>;
  readonly deviceReader: Pick<DeviceReader, 'compare'>;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly measureImpact: MeasureImpact;
}

interface Question {
  readonly filter: SavedFilter;
  readonly next: SavedFilter | null;
  /** Guarded subscriptions to the filter, and to filters that rely on it. */
  readonly guarding: readonly Subscription[];
  /** The guards and filter versions that the decision is based on. If they change, the guards decide again. */
  readonly basis: string;
}

/** Thrown to roll the change back. The change runs again after the guards have decided. */
class Undecided extends Error {
  readonly question: Question;

  constructor(question: Question) {
    super('guards have to decide');
    this.question = question;
  }
}

const NOTHING: ConditionGroup = { kind: 'group', operator: 'OR', conditions: [] };

export function makeSaveGuarded(deps: ChangeGuardDeps): SaveGuarded {
  async function decide(
    call: Call,
    question: Question,
    confirmation: Confirmation | null,
  ): Promise<Result<ApplicationError | null, ApplicationError>> {
    const { filter, next, guarding } = question;
    const outer = await findStopping(call, question);
    if (!outer.ok) return outer;
    const own = guarding.filter(({ filterId }) => filterId === filter.id);
    if (outer.value === null && own.length === 0) return ok(null);
    // A filter that cannot be evaluated counts as matching nothing.
    const checked = await checkSavedFilter(deps, call, filter);
    const before = checked.ok ? checked.value.filter : NOTHING;
    const scope = checked.ok ? checked.value.scope : await coverageOf(deps, call.caller.scope, filter);
    // `next` is checked again, because inner filters may have changed since it was sent.
    const changed = next === null ? null : await checkSavedFilter(deps, call, next);
    const after = changed?.ok ? changed.value.filter : NOTHING;
    const measured = await deps.measureImpact(call, filter, { before, after, scope });
    if (!measured.ok) return measured;
    const impact = measured.value;
    const [entering, leaving] = [impact.entering.count, impact.leaving.count];
    const isConfirmed =
      confirmation?.version === filter.version &&
      confirmation.entering === entering &&
      confirmation.leaving === leaving;
    const stopping = outer.value ?? own.find((each) => isExceeded(each, impact));
    if (isConfirmed || stopping === undefined) return ok(null);
    const detail = `${entering} devices would enter and ${leaving} leave, which the subscription "${stopping.name}" guards against; send confirm with the version, entering and leaving of the impact.`;
    return ok({ code: 'confirmation_needed', detail, impact });
  }

  /** Checks subscriptions to filters that rely on the changed one. Returns the first whose guard is exceeded. */
  async function findStopping(
    call: Call,
    { filter, next, guarding }: Question,
  ): Promise<Result<Subscription | null, ApplicationError>> {
    const others = guarding.filter(({ filterId }) => filterId !== filter.id);
    // `next` is null for a deletion, which is refused earlier if other filters rely on this one.
    if (others.length === 0 || next === null) return ok(null);
    const checkConditions = makeCheckConditions({ ...deps, filters: withChanged(deps.filters, next) });
    const ids = [...new Set(others.map(({ filterId }) => filterId))];
    for await (const outer of deps.filters.findEach(call.caller.scope, ids)) {
      const before = await checkSavedFilter(deps, call, outer);
      const after = await checkSavedFilter({ ...deps, checkConditions }, call, outer);
      // A filter that cannot be evaluated keeps its members, so its guards are not exceeded.
      if (!before.ok || !after.ok) continue;
      const sides = { before: before.value.filter, after: after.value.filter, scope: after.value.scope };
      const request = { ...sides, at: deps.clock(), limit: 1, ...workFor(call) };
      const compared = await deps.deviceReader.compare(request);
      if (!compared.ok) return err(toApplicationError(compared.error));
      const stopping = others.find((each) => each.filterId === outer.id && isExceeded(each, compared.value));
      if (stopping !== undefined) return ok(stopping);
    }
    return ok(null);
  }

  return async (call, confirmation, save) => {
    let decided: { readonly basis: string; readonly refusal: ApplicationError | null } | null = null;
    for (;;) {
      try {
        return await deps.unitOfWork(call.caller.scope, (tx) =>
          save(tx, async (filter, next) => {
            const relying = (await tx.filters.relyingOn(filter.id)).map(({ id }) => id);
            const guarding: Subscription[] = [];
            for (const id of [filter.id, ...relying]) {
              const all = await tx.subscriptions.ofFilter(id);
              guarding.push(...all.filter(({ guard }) => guard !== null));
            }
            if (guarding.length === 0) return null;
            const links = await tx.filters.linksFrom([
              filter.id,
              ...namedIn(next?.conditionsJson ?? ''),
              ...guarding.map(({ filterId }) => filterId),
            ]);
            const basis = JSON.stringify([
              links.map(({ id, version }) => `${id} ${version}`).sort(),
              guarding.map(({ id, guard }) => [id, guard]),
            ]);
            if (decided?.basis === basis) return decided.refusal;
            throw new Undecided({ filter, next, guarding, basis });
          }),
        );
      } catch (error) {
        if (!(error instanceof Undecided)) throw error;
        const { question } = error;
        const decision = await decide(call, question, confirmation);
        if (!decision.ok) return decision;
        decided = { basis: question.basis, refusal: decision.value };
      }
    }
  };
}

function isExceeded(
  { guard }: Subscription,
  { before, entering, leaving }: Pick<Comparison, 'before' | 'entering' | 'leaving'>,
): boolean {
  return guard !== null && exceedsGuard(guard, { before, moving: entering.count + leaving.count });
}

/** The filters as if the change were saved. */
function withChanged(
  filters: Pick<SavedFilterReader, 'withInner'>,
  changed: SavedFilter,
): Pick<SavedFilterReader, 'withInner'> {
  return {
    async *withInner(scope, ids) {
      const all = [...ids, ...namedIn(changed.conditionsJson)];
      for await (const each of filters.withInner(scope, all)) yield each.id === changed.id ? changed : each;
    },
  };
}
