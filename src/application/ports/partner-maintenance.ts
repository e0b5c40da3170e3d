import type { PartnerId, UserId } from '#domain/ids.ts';
import type { MakeChangeEntry } from './audit/audit-log.ts';

/** What a partner's dump refers to outside the partner. */
export interface PartnerTies {
  /** System users who made the partner's filters or decided its requests; dumps include them. */
  readonly staff: readonly { readonly id: UserId; readonly email: string }[];
  /** API keys of system users that are narrowed to the partner's organizations; dumps leave them out. */
  readonly foreignKeys: number;
  /** Waiting mails to or about the partner's users; dumps leave them out. */
  readonly waitingMails: number;
}

/** Nothing is changed. */
export type RemovalRefusal = 'not-in-maintenance' | 'mails-waiting';

/** Moves partners to another database (Contract: §15); for operators, across tenants. */
export interface PartnerMaintenance {
  /**
   * Makes the partner read-only and waits until changes in progress end; `onWaiting` gets their number. False, after
   * the same wait, if it was in maintenance already.
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
