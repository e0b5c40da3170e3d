import { useEffect, useRef } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { DevicePicker } from '#console/pages/explain/device-picker.tsx';
import { ExplainTree } from '#console/pages/explain/explain-tree.tsx';
import { useNames } from '#console/pages/lists/use-organizations.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import styles from './matches.module.css';
import type { Evaluation } from './use-evaluation.ts';

export interface WhyPanelProps {
  readonly device: DeviceRow | null;
  readonly orgId: string | null;
  readonly onChange: (device: DeviceRow | null) => void;
  readonly evaluation: Evaluation;
}

export function WhyPanel({ device, orgId, onChange, evaluation }: WhyPanelProps) {
  const { explained, explanationError, retry } = evaluation;
  const explanation = evaluation.isOld ? undefined : evaluation.explanation;
  const nameById = useNames(true);
  const answer = useRef<HTMLElement>(null);
  const matches = device === null ? undefined : explanation?.nodes[0]?.device?.matches;
  const id = device?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer is scrolled into view.
  useEffect(() => {
    if (matches !== undefined) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [id, matches]);
  return (
    <section ref={answer} className={styles.matches} aria-labelledby="why-title">
      <h2 id="why-title">
        {device === null || matches === undefined
          ? words.filters.whyTitle
          : words.filters.whyTitleOf(nameOf(device), matches)}
      </h2>
      <p className="soft">{words.filters.whyText}</p>
      <div className={styles.whyPanelLine}>
        <div className={styles.device}>
          <DevicePicker device={device} orgId={orgId} onChange={onChange} />
        </div>
        {device !== null && (
          <Button kind="quiet" onPress={() => onChange(null)}>
            {words.filters.forget}
          </Button>
        )}
      </div>
      <ErrorNotice error={device === null ? null : explanationError} onRetry={retry} />
      <div role="status">
        {device !== null && matches !== undefined && (
          <p className={matches ? styles.in : styles.out}>
            {matches ? words.filters.isIn(nameOf(device)) : words.filters.isOut(nameOf(device))}
          </p>
        )}
      </div>
      {device !== null && explanation !== undefined && explained !== null && matches !== undefined && (
        <ExplainTree conditions={explained} explanation={explanation} nameOf={nameById} />
      )}
    </section>
  );
}
