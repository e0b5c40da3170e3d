/**
 * Stores requests for the deletion of accounts (Contract: §7). A user has at most one that is pending or processing,
 * and that one belongs where the user belongs: it moves along when the user is moved to another organization or
 * partner. A closed request stays where it was closed.
 */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Attribution } from '#domain/access/attribution.ts';
import type {
  DeletionRequest,
  DeletionStatus,
  PendingRequest,
  ProcessingRequest,
} from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestId, OrgId, UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** A request as administrators see it. Email and name are null once the account is erased or out of reach. */
export interface RequestForReview {
  readonly request: DeletionRequest;
  readonly user: { readonly id: UserId; readonly email: string | null; readonly name: string | null };
}

/** Which requests, and which page of them. */
export interface DeletionListQuery {
  /** Null: any status. */
  readonly status: DeletionStatus | null;
  /** Null: all in reach. */
  readonly orgId: OrgId | null;
  readonly limit: number;
  readonly offset: number;
}

/** With a scope, requests out of its reach (`isWithinReach`) are neither found nor counted. */
export interface DeletionRequestReader {
  /** The user's pending or processing request, else their newest; null if none. Whatever tenant the user belongs to. */
  findLatestOf(userId: UserId): Promise<DeletionRequest | null>;
  /** The request, or null. */
  find(scope: AccessScope, id: DeletionRequestId): Promise<RequestForReview | null>;
  /** A page, newest first, ties by id, descending, and the total over all pages, both from one snapshot. */
  list(
    scope: AccessScope,
    query: DeletionListQuery,
  ): Promise<{ readonly requests: readonly RequestForReview[]; readonly total: number }>;
  /** How many requests are pending. */
  countPending(scope: AccessScope): Promise<number>;
  /** The notes of those of these requests that have one. */
  findNotes(
    scope: AccessScope,
    ids: readonly DeletionRequestId[],
  ): Promise<ReadonlyMap<DeletionRequestId, string>>;
}

/** An active account, with what a request for its deletion records. */
export interface AccountHolder extends Attribution {
  readonly person: MailRecipient;
}

/** A failed attempt to erase an account. */
export interface ErasureFailure {
  /** The kind of error, without anything about the account. */
  readonly problem: string;
  readonly failedAt: EpochMs;
}

/**
 * Changes to requests within a transaction, whose scope decides what is in reach. Methods marked "system scope only"
 * throw in any other.
 */
export interface DeletionRequestWriter {
  /**
   * The account, locked against erasure and other submissions until the transaction ends; null if it is not active.
   * System scope only.
   */
  holdAccount(userId: UserId): Promise<AccountHolder | null>;
  /** The user's pending or processing request, else their newest; null if none. System scope only. */
  findLatestOf(userId: UserId): Promise<DeletionRequest | null>;
  /** The request, locked against other writers until the transaction ends; null if unknown or out of reach. */
  findForUpdate(id: DeletionRequestId): Promise<DeletionRequest | null>;
  /** Adds a request. Throws if the user has one that is pending or processing, or it is out of reach. */
  add(request: PendingRequest): Promise<void>;
  /** Stores the next state of a request. Throws unless its status is `from`, or if it is out of reach. */
  advance(from: DeletionStatus, next: DeletionRequest): Promise<void>;
  /** Every active user with users:write who reaches this tenant (`isWithinReach`), by id. System scope only. */
  findReviewers(attribution: Attribution): Promise<readonly MailRecipient[]>;
  /** The user, or null if unknown, erased or out of reach. */
  findPerson(userId: UserId): Promise<MailRecipient | null>;
  /**
   * The approved request that has been due longest, locked with its account until the transaction ends. Requests that
   * another transaction holds or that are set aside are skipped; null if no other is due. System scope only.
   */
  claimDue(now: EpochMs): Promise<ProcessingRequest | null>;
  /**
   * Sets an approved request aside until `nextErasureAttempt`, and gives the number of failures so far; null if it is
   * no longer approved. System scope only.
   */
  setAside(
    id: DeletionRequestId,
    failure: ErasureFailure,
  ): Promise<{ readonly failures: number; readonly nextAttemptAt: EpochMs } | null>;
}
