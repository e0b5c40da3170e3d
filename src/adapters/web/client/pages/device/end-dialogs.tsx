import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Device, DeviceRow } from '#adapters/http/api-types.ts';
import { deleteDevice, devicePageQuery, deviceQuery, mergeDevices } from '#console/api/devices.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { forgetDevice } from '#console/palette/recents.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { formatDateTime } from '#console/parts/display/format.ts';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Combo } from '#console/parts/fields/combo.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';
import { Dialog, SubmitActions } from '#console/parts/layout/dialog.tsx';
import { quote } from '#domain/filter/text/text-keys.ts';
import styles from './end-dialogs.module.css';

const said = words.devicePage.ends;

export interface DeleteDialogProps {
  readonly device: Device;
  readonly etag: string | null;
  readonly onClose: () => void;
}

/** Asks for the name of the device. */
export function DeleteDialog({ device, etag, onClose }: DeleteDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const user = useUser();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isRefused, setIsRefused] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const name = nameOf(device);

  async function send() {
    const isConfirmed = typed.trim() === name.trim();
    setIsRefused(!isConfirmed);
    if (!isConfirmed) return;
    setIsSending(true);
    setError(null);
    try {
      await deleteDevice(api, queries, device.id, etag);
      forgetDevice(user.id, device.id);
      await navigate({ to: '/devices', state: { endedDevice: said.deleted(name) } });
    } catch (failure) {
      setError(failure);
      setIsSending(false);
    }
  }

  return (
    <Dialog title={said.deleteTitle(name)} isOpen onClose={onClose} isPersistent>
      <Form className="stack" onSubmit={send}>
        <p>{said.deleteText}</p>
        <TextField label={said.typeName(name)} value={typed} onChange={setTyped} autoFocus />
        {isRefused && <Notice kind="error">{said.wrongName(name)}</Notice>}
        <ErrorNotice error={error} />
        <SubmitActions submit={said.delete} kind="danger" isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

export interface MergeDialogProps {
  readonly device: Pick<Device, 'id' | 'orgId'>;
  /** Null: it is chosen in the dialog. */
  readonly otherId: string | null;
  readonly onClose: () => void;
}

/** Two devices side by side. The left one stays. */
export function MergeDialog({ device, otherId, onClose }: MergeDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const user = useUser();
  const [pair, setPair] = useState<readonly [string, string | null]>([device.id, otherId]);
  const [keptId, goneId] = pair;
  const { data: kept, error: keptError } = useQuery(deviceQuery(api, keptId));
  const other = useQuery({ ...deviceQuery(api, goneId ?? ''), enabled: goneId !== null });
  const gone = goneId === null ? undefined : other.data;
  const [error, setError] = useState<unknown>(null);
  const [isSending, setIsSending] = useState(false);
  const isDifferent = error instanceof ApiError && error.code === 'different_machines';

  async function send() {
    if (goneId === null) return setError(new Error(said.chooseOther));
    if (kept === undefined || gone === undefined) return;
    setIsSending(true);
    setError(null);
    try {
      await mergeDevices(api, queries, keptId, { deviceId: goneId, force: isDifferent });
      forgetDevice(user.id, goneId);
      const endedDevice = said.merged(nameOf(gone.data));
      await navigate({ to: '/devices/$id', params: { id: keptId }, search: {}, state: { endedDevice } });
      onClose();
    } catch (failure) {
      setError(failure);
      setIsSending(false);
    }
  }

  return (
    <Dialog title={said.mergeTitle} isOpen onClose={onClose} width={880} isPersistent>
      <Form className="stack" onSubmit={send}>
        <p>{said.mergeText}</p>
        {otherId === null && (
          <DevicePicker
            orgId={device.orgId}
            excludedId={device.id}
            isMissing={goneId === null && error !== null}
            onChoose={(id) => {
              setPair([device.id, id]);
              setError(null);
            }}
          />
        )}
        {kept !== undefined && gone !== undefined && <SideBySide kept={kept.data} gone={gone.data} />}
        <ErrorNotice error={error ?? keptError ?? other.error} />
        {gone !== undefined && goneId !== null && (
          <p>
            <Button
              onPress={() => {
                setPair([goneId, keptId]);
                setError(null);
              }}
            >
              {said.swap}
            </Button>
          </p>
        )}
        <SubmitActions
          submit={
            kept === undefined
              ? said.merge
              : (isDifferent ? said.mergeAnyway : said.mergeInto)(nameOf(kept.data))
          }
          kind={isDifferent ? 'danger' : 'primary'}
          isSending={isSending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

const SEARCH_AFTER_MS = 200;

function DevicePicker(props: {
  readonly orgId: string;
  readonly excludedId: string;
  /** It was not chosen before sending. */
  readonly isMissing: boolean;
  readonly onChoose: (id: string) => void;
}) {
  const { orgId, excludedId, isMissing, onChoose } = props;
  const api = useApi();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<DeviceRow | null>(null);
  const settled = useDebounced(text.trim(), SEARCH_AFTER_MS);
  const q = settled === '' ? '' : quote(settled);
  const { data } = useQuery(devicePageQuery(api, queries, { q, orgId, sort: 'hostname' }, 0));
  const devices = (data?.data ?? []).filter(({ id }) => id !== excludedId).slice(0, 20);
  return (
    <Combo
      label={said.other}
      placeholder={said.other}
      hasFocusAtFirst
      isInvalid={isMissing}
      value={chosen?.id ?? null}
      valueText={chosen === null ? '' : nameOf(chosen)}
      items={devices.map((one) => ({
        id: one.id,
        label: nameOf(one),
        ...(one.displayName !== null && { detail: one.hostname }),
      }))}
      onType={setText}
      onChange={(id) => {
        setChosen(devices.find((one) => one.id === id) ?? null);
        onChoose(id);
      }}
      emptyText={said.noneFound}
    />
  );
}

/** What stays is beside each row (Contract: §10). */
function SideBySide({ kept, gone }: { readonly kept: Device; readonly gone: Device }) {
  const seenLast = (gone.lastSeenAt ?? '') > (kept.lastSeenAt ?? '') ? gone : kept;
  return (
    <table className={styles.table} aria-label={said.mergeTitle}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{said.value}</span>
          </th>
          <th scope="col">{nameOf(kept)}</th>
          <th scope="col">{nameOf(gone)}</th>
          <th scope="col">{said.stays}</th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ title, read, stays }) => {
          const [left, right] = [read(kept), read(gone)];
          return (
            <tr key={title} data-differs={left !== right || undefined}>
              <th scope="row">{title}</th>
              <td>{left || said.none}</td>
              <td>
                {right || said.none}
                {left !== right && <span className="visually-hidden"> {said.differs}</span>}
              </td>
              <td className={styles.stays}>{stays(kept, gone, seenLast) || said.none}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface Row {
  readonly title: string;
  readonly read: (device: Device) => string;
  readonly stays: (kept: Device, gone: Device, seenLast: Device) => string;
}

const own = (title: string, read: Row['read']): Row => ({ title, read, stays: (kept) => read(kept) });
const reported = (title: string, read: Row['read']): Row => ({
  title,
  read,
  stays: (_kept, _gone, seenLast) => read(seenLast),
});

const ROWS: readonly Row[] = [
  reported(said.rows.lastSeen, ({ lastSeenAt }) =>
    lastSeenAt === null ? words.devicePage.neverSeen : formatDateTime(new Date(lastSeenAt)),
  ),
  {
    title: said.rows.name,
    read: ({ displayName }) => displayName ?? '',
    stays: (kept, gone) => kept.displayName ?? gone.displayName ?? '',
  },
  own(said.rows.status, ({ status }) => words.deviceStatuses[status]),
  own(said.rows.site, ({ site }) => site?.name ?? ''),
  {
    title: said.rows.tags,
    read: ({ tags }) => tags.join(', '),
    stays: (kept, gone) => [...new Set([...kept.tags, ...gone.tags])].join(', '),
  },
  {
    title: said.rows.alerts,
    read: ({ totals }) => String(totals.alerts),
    stays: (kept, gone) => String(kept.totals.alerts + gone.totals.alerts),
  },
  reported(said.rows.hostname, ({ hostname }) => hostname),
  reported(said.rows.serial, ({ hardware }) => hardware?.serialNumber ?? ''),
  reported(said.rows.model, ({ hardware }) => hardware?.model ?? ''),
  reported(said.rows.system, ({ osType, osVersion }) => osVersion ?? osType ?? ''),
  reported(said.rows.user, ({ lastUser }) => lastUser ?? ''),
  reported(said.rows.address, ({ network }) => network.map(({ ipAddress }) => ipAddress ?? '').join(', ')),
];
