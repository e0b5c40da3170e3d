import type { Attribution } from '#domain/access/ownership.ts';
import type { DeletionRequestId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { compareCodePoints, countCodePoints } from '#domain/text/code-points.ts';
import { trimText, unstorableReason } from '#domain/text/storable-text.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** Spec: Account deletion request, States and transitions. */
export const DELETION_STATUSES = ['pending', 'processing', 'completed', 'cancelled'] as const;
export type DeletionStatus = (typeof DELETION_STATUSES)[number];

export interface DeletionVerdict {
  readonly at: EpochMs;
  readonly by: UserId;
  readonly note: string | null;
}

/** A request belongs to its user's organization; orgId is null for staff of a partner or the platform. */
interface RequestFacts extends Attribution {
  readonly id: DeletionRequestId;
  readonly userId: UserId;
  readonly reason: string | null;
  readonly requestedAt: EpochMs;
  readonly processBy: EpochMs;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** Awaits review; the user can still cancel it. */
export interface PendingRequest extends RequestFacts {
  readonly status: 'pending';
}

/** Approved; the account is erased once `processBy` is reached. */
export interface ProcessingRequest extends RequestFacts {
  readonly status: 'processing';
  readonly verdict: DeletionVerdict;
}

/** The account is erased, and so is every text about the person. */
export interface CompletedRequest extends RequestFacts {
  readonly status: 'completed';
  readonly reason: null;
  readonly verdict: DeletionVerdict & { readonly note: null };
}

/** Ended by the user, or by an administrator if there is a verdict. */
export interface CancelledRequest extends RequestFacts {
  readonly status: 'cancelled';
  readonly verdict: DeletionVerdict | null;
}

/** A deletion request; each status has its own members. */
export type DeletionRequest = PendingRequest | ProcessingRequest | CompletedRequest | CancelledRequest;

/** A user can have only one open request. */
export type OpenRequest = PendingRequest | ProcessingRequest;

/** Null while pending, and for requests that their user cancelled. */
export function verdictOf(request: DeletionRequest): DeletionVerdict | null {
  return request.status === 'pending' ? null : request.verdict;
}

/** Removes texts about the person, because the account is erased. */
export function withoutTexts(request: DeletionRequest): DeletionRequest {
  switch (request.status) {
    case 'pending':
      return { ...request, reason: null };
    case 'processing':
      return { ...request, reason: null, verdict: { ...request.verdict, note: null } };
    case 'completed':
      return request;
    case 'cancelled': {
      const { verdict } = request;
      return { ...request, reason: null, verdict: verdict === null ? null : { ...verdict, note: null } };
    }
  }
}

/** Spec: Limits, "30 days": exactly 720 hours, regardless of calendars and time zones. */
export const GRACE_PERIOD_MS = 720 * HOUR_MS;

/** When the account may be erased. */
export function processByOf(requestedAt: EpochMs): EpochMs {
  return requestedAt + GRACE_PERIOD_MS;
}

/** How long before `processBy` administrators are reminded of a pending request (Contract: §7, "Mail"). */
export const REMINDER_LEAD_MS = 7 * DAY_MS;

/** Whether `processBy` has passed without a completion (Contract: §7). */
export function isOverdue(request: DeletionRequest, now: EpochMs): boolean {
  return (request.status === 'pending' || request.status === 'processing') && request.processBy < now;
}

/** In code points, after trimming (Contract: §7). */
export const MAX_DELETION_TEXT_LENGTH = 2000;

/** The trimmed text; null if absent or blank. An error begins with `name`. */
export function parseDeletionText(name: string, value: unknown): Result<string | null, string> {
  if (value === null || value === undefined) return ok(null);
  if (typeof value !== 'string') {
    return err(`${name} must be a string of at most ${MAX_DELETION_TEXT_LENGTH} characters`);
  }
  const unstorable = unstorableReason(value);
  if (unstorable !== null) return err(`${name} ${unstorable}`);
  const text = trimText(value);
  const length = countCodePoints(text);
  if (length > MAX_DELETION_TEXT_LENGTH) {
    return err(`${name} must have at most ${MAX_DELETION_TEXT_LENGTH} characters; it has ${length}`);
  }
  return ok(text === '' ? null : text);
}

/** Newest first, ties by id, descending (Contract: §7). */
export function compareNewestRequestFirst(a: DeletionRequest, b: DeletionRequest): number {
  return b.requestedAt - a.requestedAt || compareCodePoints(b.id, a.id);
}

/** Delays after the first, second, … failed erasure. The last delay repeats. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS] as const;
const LONGEST_DELAY_MS = 6 * HOUR_MS;

/** When to retry after this many failures, the last one at `failedAt`. */
export function nextErasureAttempt(failures: number, failedAt: EpochMs): EpochMs {
  return failedAt + (DELAYS_MS[failures - 1] ?? LONGEST_DELAY_MS);
}
