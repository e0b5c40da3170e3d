/** Partners that are moved to another database: read-only meanwhile, and removed in the end (Contract: §15). */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { PartnerId, UserId } from '#domain/ids.ts';

/** What a dump of the partner refers to and is not the partner's. */
export interface PartnerTies {
  /** Users of the whole system who made filters or decided requests of the partner's; a dump has them as well. */
  readonly staff: readonly { readonly id: UserId; readonly email: string }[];
  /** API keys of such users that are narrowed to an organization of the partner's; no dump of the partner has them. */
  readonly foreignKeys: number;
  /** Mails to or about the partner's users that wait to be sent; no dump has any. */
  readonly waitingMails: number;
}

/** Why a partner is not removed, and nothing is changed. */
export type RemovalRefusal = 'not-in-maintenance' | 'mails-waiting';

/** Moves of partners, for operators; not limited to any tenant. */
export interface PartnerMaintenance {
  /**
   * Lets nobody change what is the partner's from now on, however long it takes until no change that began before is
   * under way: `onWaiting` gets their number. False if it was in maintenance before; then it waits all the same.
   */
  begin(partnerId: PartnerId, entry: AuditEntry, onWaiting: (transactions: number) => void): Promise<boolean>;
  /** False if it was not in maintenance. */
  end(partnerId: PartnerId, entry: AuditEntry): Promise<boolean>;
  isInMaintenance(partnerId: PartnerId): Promise<boolean>;
  findTies(partnerId: PartnerId): Promise<PartnerTies>;
  /** Removes everything of a partner in maintenance, but for the audit log. */
  remove(partnerId: PartnerId, entry: AuditEntry): Promise<RemovalRefusal | null>;
}
