import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { Device, DeviceRow } from '#adapters/http/api-types.ts';
import { deleteDevice, deviceQuery, mergeDevices } from '#console/api/devices.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { DevicePicker } from '#console/pages/explain/device-picker.tsx';
import { forgetDevice } from '#console/palette/recents.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import type { DevicePartProps } from './device-head.tsx';
import { SideBySide } from './side-by-side.tsx';

const said = words.devicePage.ends;

export function EndMenu({ device, etag }: DevicePartProps) {
  const [open, setOpen] = useState<'delete' | 'merge' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <MenuTrigger>
        <Button>
          {said.menu} <Icon name="down" />
        </Button>
        <Menu>
          <MenuItem onAction={() => setOpen('merge')}>{said.mergeAction}</MenuItem>
          <MenuItem onAction={() => setOpen('delete')}>{said.deleteAction}</MenuItem>
        </Menu>
      </MenuTrigger>
      {open === 'delete' && <DeleteDialog device={device} etag={etag} onClose={close} />}
      {open === 'merge' && <MergeDialog device={device} otherId={null} onClose={close} />}
    </>
  );
}

function DeleteDialog({ device, etag, onClose }: DevicePartProps & { readonly onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const user = useUser();
  const [typed, setTyped] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const sending = useSending();
  const name = nameOf(device);

  async function submit() {
    const isConfirmed = typed.trim() === name.trim();
    setIsRefused(!isConfirmed);
    if (!isConfirmed) return;
    await sending.send(async () => {
      await deleteDevice(api, queries, device.id, etag);
      forgetDevice(user.id, device.id);
      await navigate({ to: '/devices', state: { endedDevice: said.deleted(name) } });
    });
  }

  return (
    <FormDialog
      title={said.deleteTitle(name)}
      submit={said.delete}
      kind="danger"
      sending={sending}
      onSubmit={submit}
      onClose={onClose}
      isPersistent
    >
      <p>{said.deleteText}</p>
      <TextField label={said.typeName(name)} value={typed} onChange={setTyped} autoFocus />
      {isRefused && <Notice kind="error">{said.wrongName(name)}</Notice>}
    </FormDialog>
  );
}

export interface MergeDialogProps {
  readonly device: Pick<Device, 'id' | 'orgId'>;
  /** Null if the other device is picked in the dialog. */
  readonly otherId: string | null;
  readonly onClose: () => void;
}

/** The device on the left stays; the other is merged into it. */
export function MergeDialog({ device, otherId, onClose }: MergeDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const user = useUser();
  const [[keptId, goneId], setPair] = useState<readonly [string, string | null]>([device.id, otherId]);
  const [picked, setPicked] = useState<DeviceRow | null>(null);
  const { data: kept, error: keptError } = useQuery(deviceQuery(api, keptId));
  const other = useQuery({ ...deviceQuery(api, goneId ?? ''), enabled: goneId !== null });
  const gone = goneId === null ? undefined : other.data;
  const sending = useSending();
  const { fault } = sending;
  const isDifferent = fault instanceof ApiError && fault.code === 'different_machines';
  const choose = (keptOne: string, goneOne: string | null) => {
    setPair([keptOne, goneOne]);
    sending.forget();
  };

  const merge = () =>
    sending.send(async () => {
      if (goneId === null) throw new Error(said.chooseOther);
      if (kept === undefined || gone === undefined) return;
      await mergeDevices(api, queries, keptId, { deviceId: goneId, force: isDifferent });
      forgetDevice(user.id, goneId);
      const endedDevice = said.merged(nameOf(gone.data));
      await navigate({ to: '/devices/$id', params: { id: keptId }, search: {}, state: { endedDevice } });
      onClose();
    });

  return (
    <FormDialog
      title={said.mergeTitle}
      submit={
        kept === undefined ? said.merge : (isDifferent ? said.mergeAnyway : said.mergeInto)(nameOf(kept.data))
      }
      kind={isDifferent ? 'danger' : 'primary'}
      sending={sending}
      isFaultShown
      onSubmit={merge}
      onClose={onClose}
      width={880}
      isPersistent
    >
      <p>{said.mergeText}</p>
      {otherId === null && (
        <DevicePicker
          label={said.other}
          device={picked}
          orgId={device.orgId}
          excludedId={device.id}
          isInvalid={goneId === null && fault !== null}
          hasFocusAtFirst
          onChange={(chosen) => {
            setPicked(chosen);
            choose(device.id, chosen?.id ?? null);
          }}
        />
      )}
      {kept !== undefined && gone !== undefined && <SideBySide kept={kept.data} gone={gone.data} />}
      <ErrorNotice error={fault ?? keptError ?? other.error} />
      {gone !== undefined && goneId !== null && (
        <p>
          <Button onPress={() => choose(goneId, keptId)}>{said.swap}</Button>
        </p>
      )}
    </FormDialog>
  );
}
