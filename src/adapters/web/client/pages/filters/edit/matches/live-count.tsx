import { words } from '#console/app/words.ts';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import styles from './live-count.module.css';
import type { Evaluation } from './use-evaluation.ts';

export interface LiveCountProps {
  readonly evaluation: Evaluation;
  /** Whether what is written is no filter yet. */
  readonly isPending: boolean;
  /** Whether the devices are those of one organization of several in reach. */
  readonly isNarrowed: boolean;
  /** Why there are no numbers beside the conditions, where that is said nowhere else. */
  readonly explanationError: unknown;
}

/** How many devices the filter matches as it is now, and why that is not known where it is not. */
export function LiveCount({ evaluation, isPending, isNarrowed, explanationError }: LiveCountProps) {
  const { state, matches, explanation, unfinished, isOld, matchesError, retry } = evaluation;
  return (
    <div className={styles.line}>
      <p role="status" className={styles.count} data-old={isOld || undefined}>
        {state === 'nothing'
          ? words.filters.nothingToCount
          : matches !== undefined
            ? words.filters.devices(matches.totalCount)
            : state === 'faulty' || matchesError !== null
              ? words.filters.notCounted
              : words.filters.counting}
      </p>
      {matches !== undefined && state === 'sound' && (
        <p className={styles.more}>
          {explanation !== undefined && !isNarrowed && `${words.filters.ofAll(explanation.deviceCount)} · `}
          {words.filters.evaluated} <Time at={matches.evaluatedAt} as="timeOfDay" />
        </p>
      )}
      {(state === 'faulty' || isPending) && <p className={styles.fault}>{words.filters.faultsToMend}</p>}
      {unfinished > 0 && state !== 'nothing' && (
        <p className={styles.more}>{words.filters.unfinished(unfinished)}</p>
      )}
      {matchesError !== null && <ErrorNotice error={matchesError} onRetry={retry} />}
      {matchesError === null && explanationError !== null && (
        <>
          <p className={styles.more}>{words.filters.notExplained}</p>
          <ErrorNotice error={explanationError} onRetry={retry} />
        </>
      )}
    </div>
  );
}
