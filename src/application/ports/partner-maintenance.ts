import type { PartnerId, UserId } from '#domain/ids.ts';
import type { MakeChangeEntry } from './audit/audit-log.ts';

/** What connects a partner's data with the rest of the database. */
export interface PartnerTies {
  /** System users who created the partner's filters or decided its account deletion requests. Dumps include them. */
  readonly staff: readonly { readonly id: UserId; readonly email: string }[];
  /** System users' API keys that are limited to one of the partner's organizations. Dumps leave them out. */
  readonly foreignKeys: number;
  /** Waiting mails to or about the partner's users. Dumps leave them out. */
  readonly waitingMails: number;
}

/** Why nothing was removed. */
export type RemovalRefusal = 'not-in-maintenance' | 'mails-waiting';

/** Tools for moving a partner to another database (Contract: §15). For operators, across tenants. */
export interface PartnerMaintenance {
  /**
   * Makes the partner read-only and waits until changes in progress have ended; `onWaiting` gets their number. Returns
   * false, after the same wait, if the partner was already in maintenance.
   */
  begin(
    partnerId: PartnerId,
    makeEntry: MakeChangeEntry,
    onWaiting: (transactions: number) => void,
  ): Promise<boolean>;
  /** False if the partner was not in maintenance. */
  end(partnerId: PartnerId, makeEntry: MakeChangeEntry): Promise<boolean>;
  isInMaintenance(partnerId: PartnerId): Promise<boolean>;
  findTies(partnerId: PartnerId): Promise<PartnerTies>;
  /** Removes everything of a partner in maintenance except its audit log. */
  remove(partnerId: PartnerId, makeEntry: MakeChangeEntry): Promise<RemovalRefusal | null>;
}
