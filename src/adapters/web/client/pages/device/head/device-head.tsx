import { Link } from '@tanstack/react-router';
import { MenuTrigger } from 'react-aria-components';
import type { Device } from '#adapters/http/api-types.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { useDeviceChange } from '#console/pages/device/use-device-change.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { HAND_SET_STATUSES } from '#domain/device/revise-device.ts';
import styles from './device-head.module.css';
import { DeviceName } from './device-name.tsx';
import { DeviceTags } from './device-tags.tsx';

export interface DevicePartProps {
  readonly device: Device;
  readonly etag: string | null;
}

/** Name, status, place and tags, editable in place by those who may change them. */
export function DeviceHead({ device, etag }: DevicePartProps) {
  const canChange = holds(useUser(), 'devices:write');
  const { organization, site, lastSeenAt, status } = device;
  return (
    <div className={styles.head}>
      <DeviceName device={device} etag={etag} canChange={canChange} />
      <div className={styles.line}>
        <DeviceStatus status={status} />
        <span>
          <Link to="/devices" search={{ org: organization.id }}>
            {organization.name}
          </Link>
          {site !== null && ` › ${site.name}`}
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
        <span className={styles.actions}>
          {canChange && <StatusMenu device={device} etag={etag} />}
          <CopyButton
            text={`${window.location.origin}/devices/${device.id}`}
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
  return (
    <>
      <MenuTrigger>
        <Button isPending={change.isSaving}>
          {words.devicePage.setStatus} <Icon name="down" />
        </Button>
        <Menu>
          {HAND_SET_STATUSES.filter((status) => status !== device.status).map((status) => (
            <MenuItem key={status} onAction={() => void change.save({ status })}>
              {words.devicePage.statuses[status]}
            </MenuItem>
          ))}
        </Menu>
      </MenuTrigger>
      <ErrorNotice error={change.error} />
    </>
  );
}
