import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { explanationQuery, parsedTextQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { DevicePicker } from '#console/pages/explain/device-picker.tsx';
import { ExplainView } from '#console/pages/explain/explain-tree.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import styles from './dialogs.module.css';

export interface ExplainDialogProps {
  readonly q: string;
  readonly orgId: string | null;
  readonly device: DeviceRow | null;
  readonly onClose: () => void;
}

export function ExplainDialog({ q, orgId, device: first, onClose }: ExplainDialogProps) {
  const [device, setDevice] = useState(first);
  const isAll = q.trim() === '';
  const { data, error, refetch } = useQuery({ ...parsedTextQuery(useApi(), q), enabled: !isAll });
  const title = device === null ? words.devices.explainTitle : words.devices.explainDevice(nameOf(device));
  return (
    <Dialog title={title} onClose={onClose} width={720}>
      {isAll && <p>{words.devices.explainNothing}</p>}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <>
          <div className={`row ${styles.picker}`}>
            <DevicePicker device={device} orgId={orgId} onChange={setDevice} />
            <p role="status">
              {device === null ? (
                <span className="soft">{words.filters.whyText}</span>
              ) : (
                <Answer conditions={data.conditions} device={device} orgId={orgId} />
              )}
            </p>
          </div>
          <ExplainView conditions={data.conditions} deviceId={device?.id ?? null} orgId={orgId} />
        </>
      )}
      <DialogActions>
        <Button onPress={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface AnswerProps {
  readonly conditions: ConditionJson;
  readonly device: DeviceRow;
  readonly orgId: string | null;
}

/** Runs the same query as `ExplainView`, so only one request is sent. */
function Answer({ conditions, device, orgId }: AnswerProps) {
  const asked = { json: JSON.stringify(conditions), orgId };
  const { data } = useQuery(explanationQuery(useApi(), asked, device.id));
  const matches = data?.nodes[0]?.device?.matches;
  if (matches === undefined) return null;
  return matches ? words.filters.isIn(nameOf(device)) : words.filters.isOut(nameOf(device));
}
