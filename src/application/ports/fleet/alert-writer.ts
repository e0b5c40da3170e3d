import type { AlertRecord, AlertStatus } from '#domain/fleet/fleet-record.ts';
import type { AlertId } from '#domain/ids.ts';

/** Changes that people make to alerts. Works within a transaction and its scope (Contract: §10). */
export interface AlertWriter {
  /**
   * Locks the alert and its device until the transaction ends. Null if unknown or out of reach. Rejects if another
   * transaction, such as a load, keeps one of them locked.
   */
  findForUpdate(id: AlertId): Promise<Pick<AlertRecord, 'id' | 'orgId' | 'status'> | null>;
  /** Needs `findForUpdate` first. Filters and summaries see the change at commit. */
  setStatus(id: AlertId, status: AlertStatus): Promise<void>;
}
