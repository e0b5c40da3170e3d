import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { impactQuery, within } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { SampleNotice } from '#console/pages/explain/explain-tree.tsx';
import type { DraftContent, SavedVersion } from '#console/pages/filters/edit/draft/filter-draft.ts';
import { WhoIsAffected } from '#console/pages/filters/edit/guard/use-guarded.tsx';
import { toJson } from '#console/pages/filters/tree/draft-tree.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { Time } from '#console/parts/display/time.tsx';
import {
  asksForPatches,
  UnreportedPatches,
  unreportedOfConditions,
} from '#console/parts/display/unreported-patches.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { emptyHint } from './empty-hint.ts';
import styles from './matches.module.css';
import { Matches } from './matches.tsx';
import type { Evaluation } from './use-evaluation.ts';
import { WhyPanel } from './why-panel.tsx';

export interface ResultsProps {
  readonly content: DraftContent;
  readonly vocabulary: Vocabulary;
  readonly evaluation: Evaluation;
  /** True if the filter is complete and has no faults. */
  readonly isSound: boolean;
  /** The saved version that the draft would replace, if any. */
  readonly changed: SavedVersion | null;
  readonly device: DeviceRow | null;
  readonly onDevice: (device: DeviceRow | null) => void;
}

export function Results(props: ResultsProps) {
  const { content, vocabulary, evaluation, isSound, changed, device, onDevice } = props;
  const { tree, orgId } = content;
  const { organizations, catalog } = vocabulary;
  const { state, matches, isOld, orgIds, explanationError } = evaluation;
  const isSpread = organizations.length > 1;
  return (
    <>
      {changed !== null && <ImpactLine saved={changed} json={isOld ? null : evaluation.json} />}
      <LiveCount
        evaluation={evaluation}
        isPending={content.written?.tree === null}
        isNarrowed={isSpread && (orgId !== null || orgIds !== null)}
        explanationError={device === null ? explanationError : null}
        orgId={orgId}
      />
      {state !== 'nothing' && (matches !== undefined || state === 'sound') && (
        <>
          <Matches
            found={matches}
            isOld={isOld}
            organizations={isSpread ? new Map(organizations.map(({ id, name }) => [id, name])) : null}
            // The notes count more organizations than the filter covers.
            hint={orgIds === null ? emptyHint(tree, evaluation.notes, vocabulary) : null}
            all={
              isSound && !isOld
                ? { conditions: within(toJson(tree), orgIds), catalog, orgId: isSpread ? orgId : null }
                : null
            }
            onWhy={onDevice}
          />
          {!evaluation.isTooBig && (
            <WhyPanel device={device} orgId={orgId} onChange={onDevice} evaluation={evaluation} />
          )}
        </>
      )}
    </>
  );
}

interface ImpactLineProps {
  readonly saved: SavedVersion;
  /** The edited conditions; null while a newer answer is loading. */
  readonly json: string | null;
}

/** Renders nothing if the saved filter can no longer be evaluated. */
function ImpactLine({ saved, json }: ImpactLineProps) {
  const { data } = useQuery(impactQuery(useApi(), saved.data.id, saved.etag, json));
  // Kept while the next answer is loading.
  const [isOpen, setIsOpen] = useState(false);
  if (data === undefined) return null;
  const { entering, leaving, usedBy } = data;
  const text = [words.filters.impact(entering, leaving), ...words.filters.usedBy(usedBy)].join(' · ');
  if (entering + leaving + usedBy.length === 0) return <p role="status">{text}</p>;
  return (
    <details
      className={styles.impact}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        <span role="status">{text}</span>
      </summary>
      <WhoIsAffected impact={data} />
    </details>
  );
}

interface LiveCountProps {
  readonly evaluation: Evaluation;
  /** True while the text or JSON does not parse. */
  readonly isPending: boolean;
  readonly isNarrowed: boolean;
  /** Null if another message shows the error. */
  readonly explanationError: unknown;
  readonly orgId: string | null;
}

function LiveCount({ evaluation, isPending, isNarrowed, explanationError, orgId }: LiveCountProps) {
  const { state, matches, json, explained, explanation, orgIds } = evaluation;
  const { unfinished, isOld, matchesError, retry } = evaluation;
  return (
    <div className={styles.head}>
      <p role="status" className={styles.count} data-old={isOld || undefined}>
        {state === 'nothing' && !isPending
          ? words.filters.nothingToCount
          : matches !== undefined
            ? words.filters.devices(matches.totalCount)
            : state !== 'sound' || matchesError !== null
              ? words.filters.notCounted
              : words.filters.counting}
      </p>
      {matches !== undefined && state === 'sound' && (
        <p className={styles.more}>
          {explanation !== undefined && !isNarrowed && `${words.filters.ofAll(explanation.deviceCount)} · `}
          {words.filters.evaluated} <Time at={matches.evaluatedAt} as="timeOfDay" />
        </p>
      )}
      {explanation?.sample !== undefined && state === 'sound' && <SampleNotice sample={explanation.sample} />}
      {json !== null && matches !== undefined && state === 'sound' && asksForPatches(json) && (
        <UnreportedPatches ofThese={unreportedOfConditions(within(explained, orgIds))} orgId={orgId} />
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
