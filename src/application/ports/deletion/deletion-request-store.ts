/** Where requests for the deletion of accounts are kept (Contract: §7). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Attribution } from '#domain/access/attribution.ts';
import type {
  DeletionRequest,
  DeletionStatus,
  PendingRequest,
  ProcessingRequest,
} from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestId, UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** A request as administrators see it. Email and name are null where the account is erased. */
export interface RequestForReview {
  readonly request: DeletionRequest;
  readonly user: { readonly id: UserId; readonly email: string | null; readonly name: string | null };
}

export interface DeletionListQuery {
  /** Null is every status. */
  readonly status: DeletionStatus | null;
  readonly limit: number;
  readonly offset: number;
}

/** What is out of the scope's reach (`isWithinReach`) is not there, and counted nowhere. */
export interface DeletionRequestReader {
  /** The user's pending or processing request, else the newest of the others, wherever the user belongs. */
  findLatestOf(userId: UserId): Promise<DeletionRequest | null>;
  find(scope: AccessScope, id: DeletionRequestId): Promise<RequestForReview | null>;
  /** A page, newest first, ties by id, descending; `total` is over all pages. Both are of one instant. */
  list(
    scope: AccessScope,
    query: DeletionListQuery,
  ): Promise<{ readonly requests: readonly RequestForReview[]; readonly total: number }>;
  countPending(scope: AccessScope): Promise<number>;
  /** The notes of those among the requests that have one. */
  findNotes(
    scope: AccessScope,
    ids: readonly DeletionRequestId[],
  ): Promise<ReadonlyMap<DeletionRequestId, string>>;
}

/** An active account, with what a request for its deletion says of it. */
export interface AccountHolder extends Attribution {
  readonly person: MailRecipient;
}

export interface ErasureFailure {
  /** Told without anything of the account. */
  readonly problem: string;
  readonly failedAt: EpochMs;
}

/** What a transaction may do with requests; its scope is the transaction's. */
export interface DeletionRequestWriter {
  /**
   * The account, held against its erasure and against other submissions until the transaction ends; null where it
   * is not active. Within the system scope only.
   */
  holdAccount(userId: UserId): Promise<AccountHolder | null>;
  /** The user's pending or processing request, else the newest of the others. Within the system scope only. */
  findLatestOf(userId: UserId): Promise<DeletionRequest | null>;
  /** The request, held against other writers until the transaction ends; null where it is out of reach. */
  findForUpdate(id: DeletionRequestId): Promise<DeletionRequest | null>;
  /** Adds a request. Throws where the user has one that is pending or processing. */
  add(request: PendingRequest): Promise<void>;
  /** Puts the next state in the place of the one that has this status; throws where it has another by now. */
  advance(from: DeletionStatus, next: DeletionRequest): Promise<void>;
  /** Every active holder of users:write who reaches what counts towards this tenant. Within the system scope only. */
  findReviewers(attribution: Attribution): Promise<readonly MailRecipient[]>;
  /** The user, if in reach and not erased. */
  findPerson(userId: UserId): Promise<MailRecipient | null>;
  /**
   * The approved request that has been due longest, held with its account until the transaction ends; null where
   * none is due that nobody else holds and that is not set aside. Within the system scope only.
   */
  claimDue(now: EpochMs): Promise<ProcessingRequest | null>;
  /**
   * Sets an approved request aside until `nextErasureAttempt`, and says how often that was needed; null where
   * it is approved no more. Within the system scope only.
   */
  setAside(
    id: DeletionRequestId,
    failure: ErasureFailure,
  ): Promise<{ readonly failures: number; readonly nextAttemptAt: EpochMs } | null>;
}
