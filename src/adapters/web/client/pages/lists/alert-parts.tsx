import type { Alert } from '#adapters/http/api-types.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge, type BadgeProps } from '#console/parts/display/badge.tsx';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import type { AlertSeverity, AlertStatus } from '#domain/fleet/fleet-record.ts';
import type { AlertChange } from './use-alert-change.ts';

const said = words.lists.alerts;

export function SeverityBadge({ severity }: { readonly severity: AlertSeverity }) {
  return <Badge {...LOOKS[severity]}>{said.severities[severity]}</Badge>;
}

const LOOKS: Readonly<Record<AlertSeverity, Pick<BadgeProps, 'tone' | 'mark'>>> = {
  critical: { tone: 'red', mark: '■' },
  high: { tone: 'amber', mark: '▲' },
  medium: { tone: 'blue', mark: '●' },
  low: { mark: '○' },
  info: { mark: '·' },
};

const NEXT: Readonly<Record<AlertStatus, readonly AlertStatus[]>> = {
  active: ['acknowledged', 'resolved'],
  acknowledged: ['resolved'],
  resolved: ['active'],
};

export interface AlertButtonsProps {
  readonly alert: Pick<Alert, 'id' | 'title' | 'status'>;
  readonly change: AlertChange;
  readonly isCompact?: boolean;
}

export function AlertButtons({ alert, change, isCompact = false }: AlertButtonsProps) {
  if (!holds(useUser(), DEVICES_WRITE)) return null;
  return NEXT[alert.status].map((status) => (
    <Button
      key={status}
      kind={isCompact ? 'quiet' : 'plain'}
      isCompact={isCompact}
      {...(isCompact && { 'aria-label': `${said.set[status]} ${alert.title}` })}
      onPress={() => void change.set(alert, status)}
    >
      {said.set[status]}
    </Button>
  ));
}
