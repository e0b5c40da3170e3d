import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { Badge } from '#console/parts/display/badge.tsx';
import styles from './alerts-tab.module.css';
import { SimpleTable } from './simple-table.tsx';

const { column, severities } = words.devicePage;

const TONES = { critical: 'red', high: 'amber', medium: 'blue', low: undefined, info: undefined } as const;

/** Those that are active, the most severe first. */
export function AlertsTab({ device: { alerts } }: { readonly device: Device }) {
  if (alerts.length === 0) return <p className="soft">{words.devicePage.noAlerts}</p>;
  return (
    <SimpleTable
      label={words.devicePage.tabs.alerts}
      heads={[column.severity, column.alert]}
      rows={alerts.map(({ id, severity, title, message }) => {
        const tone = TONES[severity];
        return [
          <Badge key={id} {...(tone !== undefined && { tone })}>
            {severities[severity]}
          </Badge>,
          <div key={id} className={styles.alert}>
            {title}
            {message !== null && <span className="soft">{message}</span>}
          </div>,
        ];
      })}
    />
  );
}
