import { useQuery } from '@tanstack/react-query';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { parsedTextQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { ExplainView } from '#console/pages/explain/explain-tree.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';

export interface ExplainDialogProps {
  readonly q: string;
  readonly orgId: string | null;
  readonly device: DeviceRow | null;
  readonly onClose: () => void;
}

export function ExplainDialog({ q, orgId, device, onClose }: ExplainDialogProps) {
  const isAll = q.trim() === '';
  const { data, error, refetch } = useQuery({ ...parsedTextQuery(useApi(), q), enabled: !isAll });
  const title = device === null ? words.devices.explainTitle : words.devices.explainDevice(nameOf(device));
  return (
    <Dialog title={title} isOpen onClose={onClose} width={720}>
      {isAll && <p>{words.devices.explainNothing}</p>}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <ExplainView conditions={data.conditions} deviceId={device?.id ?? null} orgId={orgId} />
      )}
      <DialogActions>
        <Button onPress={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
