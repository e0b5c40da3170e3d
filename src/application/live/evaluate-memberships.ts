import type { Clock } from '#application/ports/clock.ts';
import type { Memberships } from '#application/ports/live/memberships.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';
import type { PartnerId } from '#domain/ids.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { Round } from './evaluation-round.ts';
import { UnderstoodFilters } from './understood-filters.ts';
/** Brings memberships up to date. False if another evaluation is running. */
export type EvaluateMemberships = (partnerId: PartnerId) => Promise<boolean>;

export interface EvaluateMembershipsDeps {
  readonly memberships: Pick<Memberships, 'evaluate'>;
  readonly translatePattern: TranslatePattern;
  readonly clock: Clock;
}

/** If the clock is set back by less, evaluations keep their last instant. If by more, everything is evaluated again. */
const SMALL_STEP_BACK_MS = MINUTE_MS;

export function makeEvaluateMemberships(deps: EvaluateMembershipsDeps): EvaluateMemberships {
  const { memberships, clock, translatePattern } = deps;
  const keptBy = new Map<PartnerId, Kept>();
  return async (partnerId) => {
    let kept = keptBy.get(partnerId) ?? null;
    const done = await memberships.evaluate(partnerId, async (evaluation) => {
      const { lastAt } = evaluation;
      const isSetBack = lastAt !== null && clock() < lastAt - SMALL_STEP_BACK_MS;
      const at = lastAt === null || isSetBack ? clock() : Math.max(clock(), lastAt);
      evaluation.setInstant(at);
      // Marks are taken before devices are read, so a change in between keeps its mark.
      const marks = await evaluation.takeMarks();
      const mustRead = isSetBack || kept?.revision == null || kept.revision !== evaluation.revision();
      const watched = mustRead ? await evaluation.watched() : [];
      const filters = kept?.filters ?? new UnderstoodFilters(translatePattern);
      if (mustRead) {
        // If this evaluation fails, the next one reads the filters again.
        keptBy.set(partnerId, { filters, revision: null });
        await filters.update(watched, evaluation);
        kept = { filters, revision: evaluation.nextRevision };
      }
      for (const [orgId, reads] of filters.reads(evaluation.orgIds)) evaluation.setReads(orgId, reads);
      const round = new Round(evaluation, { partnerId, filters, at, marks });
      await round.evaluateWatched(watched, isSetBack);
      await round.evaluateMarked();
      await round.evaluateDue();
      return true;
    });
    if (done === null) return false;
    if (kept?.filters.isEmpty === false) keptBy.set(partnerId, kept);
    else keptBy.delete(partnerId);
    return true;
  };
}

interface Kept {
  readonly filters: UnderstoodFilters;
  /** The revision that was read last; null if the filters must be read again. */
  readonly revision: string | null;
}
