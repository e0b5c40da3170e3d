import { useEffect, useRef, useState } from 'react';
import type { Chosen } from '#console/api/bulk.ts';
import { type DeviceExport, exportDevices } from '#console/api/device-export.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import type { Column } from '#console/pages/devices/table/columns.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { saveFile } from '#console/parts/actions/save-file.ts';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Progress } from '#console/parts/feedback/progress.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import { DEFAULT_EXPORT_FIELDS } from '#domain/export/parse-export-fields.ts';

export interface ExportDialogProps {
  readonly chosen: Chosen;
  /** Null while unknown. */
  readonly count: number | null;
  /** Null if no list of devices is shown. */
  readonly columns: readonly Column[] | null;
  /** The file's name without its ending. */
  readonly fileName?: string;
  readonly onClose: () => void;
}

/** Saves the file only when it is complete. */
export function ExportDialog({ chosen, count, columns, fileName = 'devices', onClose }: ExportDialogProps) {
  const api = useApi();
  const [format, setFormat] = useState<DeviceExport['format']>('csv');
  const [fieldSet, setFieldSet] = useState<keyof typeof words.devices.exportFieldSets>('shown');
  const [progress, setProgress] = useState<{ readonly rows: number; readonly isDone: boolean } | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start() {
    const controller = new AbortController();
    running.current = controller;
    setFault(null);
    const onRows = (rows: number) => setProgress({ rows, isDone: false });
    onRows(0);
    const keys =
      fieldSet === 'all' || columns === null
        ? DEFAULT_EXPORT_FIELDS
        : columns.flatMap(({ exported }) => exported);
    // Adds the organization's name, because nobody recognizes its id.
    const fields = [...new Set([...keys, 'organization'])];
    try {
      const file = await exportDevices(api, { chosen, format, fields }, onRows, controller.signal);
      saveFile(`${fileName}.${format}`, file);
      setProgress((last) => last && { ...last, isDone: true });
    } catch (error) {
      setProgress(null);
      if (controller.signal.aborted) return;
      setFault(error instanceof ApiError ? error : new Error(words.devices.exportBroken));
    }
  }

  const isDone = progress?.isDone === true;
  const isRunning = progress !== null && !isDone;
  return (
    <Dialog title={words.devices.exportTitle} onClose={onClose} isPersistent={isRunning}>
      <Form className="stack" onSubmit={start}>
        <Dropdown
          label={words.devices.exportFormat}
          value={format}
          isDisabled={isRunning}
          onChange={setFormat}
        >
          {optionsOf(words.devices.exportFormats)}
        </Dropdown>
        {columns !== null && (
          <Dropdown
            label={words.devices.exportFields}
            value={fieldSet}
            isDisabled={isRunning}
            onChange={setFieldSet}
          >
            {optionsOf(words.devices.exportFieldSets)}
          </Dropdown>
        )}
        {isRunning && (
          <Progress
            label={words.devices.exportTitle}
            text={words.devices.exportProgress(progress.rows, count)}
            {...(count !== null && { value: progress.rows, maxValue: Math.max(count, progress.rows, 1) })}
          />
        )}
        {isDone && <Notice kind="success">{words.devices.exportDone(progress.rows)}</Notice>}
        <ErrorNotice error={fault} />
        <DialogActions>
          <Button
            onPress={() => {
              running.current?.abort();
              if (!isRunning) onClose();
            }}
          >
            {isDone ? words.close : words.cancel}
          </Button>
          <Button kind="primary" type="submit" isPending={isRunning}>
            {words.devices.exportSubmit(count)}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
