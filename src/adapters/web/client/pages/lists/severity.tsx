import { words } from '#console/app/words.ts';
import { Badge, type BadgeProps } from '#console/parts/display/badge.tsx';
import type { AlertSeverity } from '#domain/fleet/fleet-record.ts';

/** How bad an alert is: by word, shape and colour. */
export function Severity({ severity }: { readonly severity: AlertSeverity }) {
  return <Badge {...LOOKS[severity]}>{words.lists.alerts.severities[severity]}</Badge>;
}

const LOOKS: Readonly<Record<AlertSeverity, Pick<BadgeProps, 'tone' | 'mark'>>> = {
  critical: { tone: 'red', mark: '■' },
  high: { tone: 'amber', mark: '▲' },
  medium: { tone: 'blue', mark: '●' },
  low: { mark: '○' },
  info: { mark: '·' },
};
