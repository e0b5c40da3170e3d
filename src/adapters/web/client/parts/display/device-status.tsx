import { words } from '#console/app/words.ts';
import type { DeviceStatus as Status } from '#domain/device/device.ts';
import styles from './device-status.module.css';

export function DeviceStatus({ status }: { readonly status: Status }) {
  return (
    <span className={`${styles.status} ${styles[status]}`}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        {SHAPES[status]}
      </svg>
      {words.deviceStatuses[status]}
    </span>
  );
}

const RING = <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />;

const SHAPES: Readonly<Record<Status, React.ReactNode>> = {
  online: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  offline: RING,
  maintenance: (
    <>
      {RING}
      <path d="M6 1.75a4.25 4.25 0 0 0 0 8.5z" fill="currentColor" />
    </>
  ),
  updating: (
    <>
      {RING}
      <path d="M6 6V1.75A4.25 4.25 0 0 1 10.25 6z" fill="currentColor" />
    </>
  ),
  pending: (
    <circle
      cx="6"
      cy="6"
      r="4.25"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="2.2 2.2"
    />
  ),
  quarantined: <rect x="2" y="2" width="8" height="8" rx="1" fill="currentColor" />,
  decommissioned: (
    <>
      {RING}
      <path d="M3 9l6-6" stroke="currentColor" strokeWidth="1.5" />
    </>
  ),
};
