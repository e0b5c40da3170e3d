import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DeviceRow, Explanation } from '#adapters/http/api-types.ts';
import { namedDevicesQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { ExplainTree } from '#console/pages/explain/explain-tree.tsx';
import { useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { messageOf } from '#console/parts/display/format.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Combo } from '#console/parts/fields/combo.tsx';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import styles from './matches.module.css';

export interface WhyPanelProps {
  readonly device: DeviceRow | null;
  readonly orgId: string | null;
  readonly onChange: (device: DeviceRow | null) => void;
  /** Undefined while it is loading. */
  readonly explanation: Explanation | undefined;
  readonly explained: ConditionJson | null;
  readonly error: unknown;
  readonly onRetry: () => void;
}

const SEARCH_AFTER_MS = 200;

export function WhyPanel(props: WhyPanelProps) {
  const { device, orgId, onChange, explanation, explained, error } = props;
  const { nameOf: organizationOf } = useOrganizations();
  const answer = useRef<HTMLElement>(null);
  const [text, setText] = useState<string | null>(null);
  const { devices, emptyText } = useDevicesCalled(text, orgId);
  const matches = device === null ? undefined : explanation?.nodes[0]?.device?.matches;
  const id = device?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer comes into view.
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
          <Combo
            label={words.filters.device}
            value={device?.id ?? null}
            valueText={device === null ? '' : nameOf(device)}
            items={devices.map((one) => ({
              id: one.id,
              label: nameOf(one),
              ...(one.displayName !== null && { detail: one.hostname }),
            }))}
            onType={setText}
            onChange={(id) => onChange(devices.find((one) => one.id === id) ?? null)}
            placeholder={words.filters.device}
            emptyText={emptyText}
          />
        </div>
        {device !== null && (
          <Button kind="quiet" onPress={() => onChange(null)}>
            {words.filters.forget}
          </Button>
        )}
      </div>
      <ErrorNotice error={error} onRetry={props.onRetry} />
      <div role="status">
        {device !== null && matches !== undefined && (
          <p className={matches ? styles.in : styles.out}>
            {matches ? words.filters.isIn(nameOf(device)) : words.filters.isOut(nameOf(device))}
          </p>
        )}
      </div>
      {device !== null && explanation !== undefined && explained !== null && matches !== undefined && (
        <ExplainTree conditions={explained} explanation={explanation} nameOf={organizationOf} />
      )}
    </section>
  );
}

/** Until the answer comes, the last one is narrowed to what still matches. */
function useDevicesCalled(text: string | null, orgId: string | null) {
  const api = useApi();
  const settled = useDebounced(text, SEARCH_AFTER_MS);
  const { data, error, isPlaceholderData } = useQuery(namedDevicesQuery(api, settled, orgId));
  const organizations = useOrganizations();
  const isAnswered = settled === text && data !== undefined && !isPlaceholderData;
  const wanted = (text ?? '').trim().toLowerCase();
  const isCalledSo = ({ displayName, hostname }: DeviceRow) =>
    `${displayName ?? ''}\n${hostname}`.toLowerCase().includes(wanted);
  return {
    devices: isAnswered ? data : (data ?? []).filter(isCalledSo),
    emptyText: isAnswered
      ? words.filters.noDevice((text ?? '').trim(), organizations.nameOf(orgId))
      : error === null || settled !== text
        ? words.filters.searching
        : messageOf(error),
  };
}
