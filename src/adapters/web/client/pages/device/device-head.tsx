import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { Device } from '#adapters/http/api-types.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { useKnownItems } from '#console/parts/condition/value-editor.tsx';
import { Chip } from '#console/parts/display/chip.tsx';
import { DevicesLink } from '#console/parts/display/device-link.tsx';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Combo } from '#console/parts/fields/combo.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { HAND_SET_STATUSES } from '#domain/device/revise-device.ts';
import styles from './device-head.module.css';
import { EndMenu } from './end-dialogs.tsx';
import { useDeviceChange } from './use-device-change.ts';

export interface DevicePartProps {
  readonly device: Device;
  readonly etag: string | null;
}

export function DeviceHead({ device, etag }: DevicePartProps) {
  const canChange = holds(useUser(), 'devices:write');
  const { organization, site, lastSeenAt, status } = device;
  return (
    <div className={styles.head}>
      <DeviceName device={device} etag={etag} canChange={canChange} />
      <div className={`row ${styles.line}`}>
        <DeviceStatus status={status} />
        <span>
          <Link to="/devices" search={{ org: organization.id }}>
            {organization.name}
          </Link>
          {site !== null && (
            <>
              {' › '}
              <DevicesLink q={`site:${site.id}`} org={organization.id}>
                {site.name}
              </DevicesLink>
            </>
          )}
        </span>
        <span className="soft">
          {lastSeenAt === null ? (
            words.devicePage.neverSeen
          ) : (
            <>
              {words.devicePage.lastSeen} <Time at={lastSeenAt} />
            </>
          )}
        </span>
        <span className="row">
          {canChange && <StatusMenu device={device} etag={etag} />}
          {canChange && <EndMenu device={device} etag={etag} />}
          <CopyButton
            text={`${window.location.origin}${BASE_PATH}/devices/${device.id}`}
            label={words.devicePage.copyLink}
          />
        </span>
      </div>
      <DeviceTags device={device} etag={etag} canChange={canChange} />
    </div>
  );
}

function StatusMenu({ device, etag }: DevicePartProps) {
  const change = useDeviceChange(device.id, etag);
  const [isAsking, setIsAsking] = useState(false);
  const set = (status: (typeof HAND_SET_STATUSES)[number]) => {
    if (status === 'decommissioned') setIsAsking(true);
    else void change.save({ status });
  };
  return (
    <>
      <MenuTrigger>
        <Button isPending={change.isSaving}>
          {words.devicePage.setStatus} <Icon name="down" />
        </Button>
        <Menu>
          {HAND_SET_STATUSES.filter((status) => status !== device.status).map((status) => (
            <MenuItem key={status} onAction={() => set(status)}>
              {words.devicePage.statuses[status]}
            </MenuItem>
          ))}
        </Menu>
      </MenuTrigger>
      {isAsking && (
        <ConfirmDialog
          title={words.devicePage.decommissionTitle(nameOf(device))}
          action={words.devicePage.decommission(nameOf(device))}
          onConfirm={() => change.attempt({ status: 'decommissioned' })}
          onClose={() => setIsAsking(false)}
        >
          {words.bulk.decommissionText}
        </ConfirmDialog>
      )}
      <ErrorNotice error={change.error} />
    </>
  );
}

function DeviceName({ device, etag, canChange }: DevicePartProps & { readonly canChange: boolean }) {
  const [draft, setDraft] = useState<string | null>(null);
  const change = useDeviceChange(device.id, etag);
  const [wasOpen, setWasOpen] = useState(false);

  const latest = useRef(draft);
  latest.current = draft;

  const leave = () => {
    setDraft(null);
    setWasOpen(true);
    change.reset();
  };

  if (draft === null) {
    return (
      <div className={styles.name}>
        <h1>{nameOf(device)}</h1>
        {device.displayName !== null && <span className="soft">{device.hostname}</span>}
        {canChange && (
          <Button
            autoFocus={wasOpen}
            kind="quiet"
            isCompact
            aria-label={words.devicePage.rename}
            onPress={() => setDraft(device.displayName ?? '')}
          >
            <Icon name="edit" />
          </Button>
        )}
      </div>
    );
  }
  return (
    <Form
      className="stack"
      onSubmit={async () => {
        if ((await change.save({ displayName: draft })) && latest.current === draft) leave();
      }}
    >
      <h1 className="visually-hidden">{nameOf(device)}</h1>
      <div className={styles.edit}>
        <TextField
          label={words.devicePage.name}
          value={draft}
          onChange={setDraft}
          hint={words.devicePage.nameHint(device.hostname)}
          autoFocus
          onKeyDown={({ key }) => {
            if (key === 'Escape') leave();
          }}
        />
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" isPending={change.isSaving}>
            {words.devicePage.save}
          </Button>
          <Button onPress={leave}>{words.cancel}</Button>
        </div>
      </div>
      <ErrorNotice error={change.error} />
    </Form>
  );
}

function DeviceTags({ device, etag, canChange }: DevicePartProps & { readonly canChange: boolean }) {
  const [draft, setDraft] = useState('');
  const change = useDeviceChange(device.id, etag);
  const known = useKnownItems('tags');
  const { tags } = device;

  async function add(texts: readonly string[]) {
    const added = texts.map((tag) => tag.trim()).filter((tag) => tag !== '');
    if (change.isSaving || added.length === 0) return;
    if (!(await change.save({ tags: [...new Set([...tags, ...added])] }))) return;
    setDraft((now) => (now === draft ? '' : now));
  }

  return (
    <>
      <div className="row">
        {tags.length === 0 && !canChange && <span className="soft">{words.devicePage.noTags}</span>}
        <ul aria-label={words.devicePage.tags} className={`row ${styles.tags}`}>
          {tags.map((tag) => (
            <li key={tag}>
              <Chip
                {...(canChange && {
                  removal: {
                    label: words.devicePage.removeTag(tag),
                    onRemove: () => void change.save({ tags: tags.filter((one) => one !== tag) }),
                    isDisabled: change.isSaving,
                  },
                })}
              >
                {tag}
              </Chip>
            </li>
          ))}
        </ul>
        {canChange && (
          <div className={styles.tagField}>
            <Combo
              {...known}
              isBare
              label={words.devicePage.addTag}
              placeholder={words.devicePage.addTag}
              value={draft}
              onText={setDraft}
              items={known.items.filter(({ id }) => !tags.includes(id))}
              onChange={(tag) => void add([tag])}
              onOther={(text) => void add(text.split(','))}
            />
          </div>
        )}
      </div>
      <ErrorNotice error={change.error} />
    </>
  );
}
