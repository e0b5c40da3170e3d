import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Alert } from '#adapters/http/api-types.ts';
import { SHOWING_ALERTS, setAlertStatus } from '#console/api/alerts.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { messageOf } from '#console/parts/display/format.ts';
import type { AlertStatus } from '#domain/fleet/fleet-record.ts';

type Changed = Pick<Alert, 'id' | 'title' | 'status'>;

export interface AlertChange {
  readonly set: (alert: Changed, status: AlertStatus) => Promise<void>;
  readonly message: string | null;
  readonly undo?: () => void;
}

export function useAlertChange(): AlertChange {
  const api = useApi();
  const queries = useQueryClient();
  const [said, setSaid] = useState<Pick<AlertChange, 'message' | 'undo'>>({ message: null });
  const texts = words.lists.alerts;

  async function send({ id }: Changed, status: AlertStatus): Promise<boolean> {
    try {
      await setAlertStatus(api, id, status);
    } catch (error) {
      setSaid({ message: messageOf(error) });
      return false;
    }
    await Promise.all(SHOWING_ALERTS.map((queryKey) => queries.invalidateQueries({ queryKey })));
    return true;
  }

  async function undo(alert: Changed) {
    if (await send(alert, alert.status)) setSaid({ message: texts.undone(alert.title) });
  }

  return {
    ...said,
    set: async (alert, status) => {
      if (!(await send(alert, status))) return;
      setSaid({ message: texts.changed[status](alert.title), undo: () => void undo(alert) });
    },
  };
}
