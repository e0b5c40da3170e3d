/** Guards of subscriptions against changes that move many devices (Contract: §18). */
import type { ApplicationError, FieldError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { MeasureImpact } from '#application/filters/evaluate/filter-impact.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { exceedsGuard, type Subscription } from '#domain/membership/subscription.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isObject } from '#domain/text/json-text.ts';
import { type CheckSavedFilterDeps, checkSavedFilter, coverageOf } from './read-filter.ts';

/** What somebody who changes a filter has seen of its impact. */
export interface Confirmation {
  readonly version: number;
  readonly entering: number;
  readonly leaving: number;
}

/** Null: not sent. */
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

/** A change of the conditions; null deletes the filter. */
type Refuse = (filter: SavedFilter, next: ConditionGroup | null) => Promise<ApplicationError | null>;

/**
 * Runs `save` as a transaction. Where guards have to decide, it is rolled back, and runs again with their decision: counting
 * takes long, so no lock is held meanwhile. A decision stands only if the filter and its guards are still what they were, so two
 * changes cannot slip past it together. `save` calls `refuse` last, with the filter locked.
 */
export type SaveGuarded = <T>(
  call: Call,
  confirmation: Confirmation | null,
  save: (tx: Transaction, refuse: Refuse) => Promise<Result<T, ApplicationError>>,
) => Promise<Result<T, ApplicationError>>;

interface ChangeGuardDeps extends CheckSavedFilterDeps {
  readonly unitOfWork: UnitOfWork;
  readonly measureImpact: MeasureImpact;
}

interface Question {
  readonly filter: SavedFilter;
  readonly next: ConditionGroup | null;
  readonly guarding: readonly Subscription[];
  /** Equal as long as the decision stands. */
  readonly basis: string;
}

/** Thrown to roll back. */
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
    { filter, next, guarding }: Question,
    confirmation: Confirmation | null,
  ): Promise<Result<ApplicationError | null, ApplicationError>> {
    // A filter that cannot be evaluated has no devices, as in previews.
    const checked = await checkSavedFilter(deps, call, filter);
    const before = checked.ok ? checked.value.filter : NOTHING;
    const scope = checked.ok ? checked.value.scope : await coverageOf(deps, call.caller.scope, filter);
    const measured = await deps.measureImpact(call, filter, { before, after: next ?? NOTHING, scope });
    if (!measured.ok) return measured;
    const impact = measured.value;
    const [entering, leaving] = [impact.entering.count, impact.leaving.count];
    const isConfirmed =
      confirmation?.version === filter.version &&
      confirmation.entering === entering &&
      confirmation.leaving === leaving;
    const moved = { before: impact.before, moving: entering + leaving };
    const stopping = guarding.find(({ guard }) => guard !== null && exceedsGuard(guard, moved));
    if (isConfirmed || stopping === undefined) return ok(null);
    const detail = `${entering} devices would enter and ${leaving} leave, which the subscription "${stopping.name}" guards against; send confirm with the version, entering and leaving of the impact.`;
    return ok({ code: 'confirmation_needed', detail, impact });
  }

  return async (call, confirmation, save) => {
    let decided: { readonly basis: string; readonly refusal: ApplicationError | null } | null = null;
    for (;;) {
      try {
        return await deps.unitOfWork(call.caller.scope, (tx) =>
          save(tx, async (filter, next) => {
            const all = await tx.subscriptions.ofFilter(filter.id);
            const guarding = all.filter(({ guard }) => guard !== null);
            if (guarding.length === 0) return null;
            const basis = JSON.stringify([filter.version, guarding.map(({ id, guard }) => [id, guard])]);
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
