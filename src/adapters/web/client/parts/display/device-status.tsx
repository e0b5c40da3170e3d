import { words } from '#console/app/words.ts';
import type { DeviceStatus as Status } from '#domain/device/device.ts';
import styles from './device-status.module.css';
import { Mark, type Sign } from './mark.tsx';

export function DeviceStatus({ status }: { readonly status: Status }) {
  return (
    <span className={`${styles.status} ${styles[status]}`}>
      <Mark sign={SIGNS[status]} />
      {words.deviceStatuses[status]}
    </span>
  );
}

const SIGNS: Readonly<Record<Status, Sign>> = {
  online: '●',
  offline: '○',
  maintenance: '◐',
  updating: '◔',
  pending: '◌',
  quarantined: '■',
  decommissioned: '⊘',
};
