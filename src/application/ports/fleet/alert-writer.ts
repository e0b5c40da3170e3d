import type { AlertRecord, AlertStatus } from '#domain/fleet/fleet-record.ts';
import type { AlertId } from '#domain/ids.ts';

/** Changes of alerts by people, within a transaction and its scope (Contract: §10). */
export interface AlertWriter {
  /**
   * Locked with its device until the transaction ends; null if unknown or out of reach. Rejects if a lock, such as a
   * load's, stays taken.
   */
  findForUpdate(id: AlertId): Promise<Pick<AlertRecord, 'id' | 'orgId' | 'status'> | null>;
  /** Needs `findForUpdate` first. Filters and summaries see the change at commit. */
  setStatus(id: AlertId, status: AlertStatus): Promise<void>;
}
