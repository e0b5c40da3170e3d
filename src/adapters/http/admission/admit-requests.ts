/**
 * Before reading a request's body, claims memory for it. Claims a turn only after the body has arrived, so a
 * slow sender occupies none. Refusals are logged but not audited.
 */
import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { answerLength, respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { announcedBytes, MAX_PUBLIC_BODY_BYTES, preloadBody } from '#adapters/http/read/read-body.ts';
import type { Claimant, Release } from '#application/admission/fair-share.ts';
import {
  type ClaimRefusal,
  claimantAt,
  claimantOf,
  claimantWith,
  type RequestShares,
  type WorkKind,
} from '#application/admission/request-budgets.ts';
import { CANCELLED } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { MAX_DOCUMENT_BYTES } from '#application/ports/fleet/message-reader.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { workKindOf } from './work-kinds.ts';

type Next = () => Promise<void>;

export interface Admission {
  admitCaller<E extends HttpEnv>(c: Context<E>, caller: Caller, next: Next): Promise<Response | undefined>;
  admitVisitor<E extends HttpEnv>(
    c: Context<E>,
    address: string | null,
    next: Next,
  ): Promise<Response | undefined>;
  admitReporter<E extends HttpEnv>(
    c: Context<E>,
    key: EnrolmentKey,
    next: Next,
  ): Promise<Response | undefined>;
  /** Waits for a turn of the address, then runs `find`, which identifies the sender of a request. */
  identify<T>(
    address: string | null,
    signal: AbortSignal,
    find: () => Promise<T>,
  ): Promise<T | { readonly refusal: ClaimRefusal }>;
}

/** In seconds. A turn is usually free by then. */
const RETRY_AFTER_SECONDS = 2;

export function makeAdmission(
  shares: RequestShares,
  noteRefusal: (budget: keyof RequestShares) => void = () => undefined,
): Admission {
  const note = (budget: keyof RequestShares, refusal: ClaimRefusal): ClaimRefusal => {
    if (refusal === 'refused') noteRefusal(budget);
    return refusal;
  };

  /**
   * An export holds its turn as long as its client reads, but it uses a core only while making a batch. So
   * each batch also claims an evaluation turn.
   */
  function evaluationsOf(kind: WorkKind, claimant: Claimant): Pick<Call, 'asEvaluation'> {
    if (kind !== 'export') return {};
    return {
      asEvaluation: async (work, signal) => {
        const turn = await shares.evaluation.claim(claimant, 1, signal);
        // If the tenant is busy, the batch runs without a turn, because an answer that has begun must not be cut off.
        const release = turn.kind === 'granted' ? turn.release : shares.evaluation.charge(claimant, 1);
        try {
          return await work();
        } finally {
          release();
        }
      },
    };
  }

  async function admit<E extends HttpEnv>(
    c: Context<E>,
    claimant: Claimant,
    kind: WorkKind,
    maxBodyBytes: number | undefined,
    next: Next,
  ): Promise<Response | undefined> {
    const { signal } = c.req.raw;
    // Even a request without a body claims memory, to limit clients that leave their answers unread.
    const memory = await shares.bytes.claim(claimant, 1 + announcedBytes(c, maxBodyBytes), signal);
    if (memory.kind !== 'granted') return refuseClaim(c, note('bytes', memory.kind));
    try {
      await preloadBody(c, maxBodyBytes);
      const turn = await shares[kind].claim(claimant, 1, signal);
      if (turn.kind !== 'granted') return refuseClaim(c, note(kind, turn.kind));
      const call = c.get('call');
      if (call === undefined) c.set('endTurn', turn.release);
      else c.set('call', { ...call, endTurn: turn.release, ...evaluationsOf(kind, claimant) });
      try {
        await next();
      } finally {
        if (kind === 'export') releaseWhenTaken(c, turn.release);
        else turn.release();
      }
      holdUntilTaken(c, (bytes) => shares.bytes.charge(claimant, bytes));
    } finally {
      memory.release();
    }
    return undefined;
  }

  return {
    admitCaller: (c, caller, next) => {
      const kind = workKindOf(c.req.method, routePath(c));
      const maxBodyBytes = kind === 'inventory' ? MAX_DOCUMENT_BYTES : undefined;
      return admit(c, claimantOf(caller), kind, maxBodyBytes, next);
    },
    admitReporter: (c, key, next) => admit(c, claimantWith(key), 'inventory', MAX_DOCUMENT_BYTES, next),
    admitVisitor: (c, address, next) => admit(c, claimantAt(address), 'sign-in', MAX_PUBLIC_BODY_BYTES, next),
    identify: async (address, signal, find) => {
      const turn = await shares.identification.claim(claimantAt(address), 1, signal);
      if (turn.kind !== 'granted') return { refusal: note('identification', turn.kind) };
      try {
        return await find();
      } finally {
        turn.release();
      }
    },
  };
}

export function refuseClaim<E extends HttpEnv>(c: Context<E>, refusal: ClaimRefusal): Response {
  if (refusal === 'cancelled') return respondProblem(c, CANCELLED);
  return respondProblem(c, {
    code: 'rate_limited',
    detail:
      'You, or others of your organization, are using their whole share of the service; try again shortly.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Releases an export's turn only when the client has taken the answer or is gone. */
function releaseWhenTaken<E extends HttpEnv>(c: Context<E>, release: Release): void {
  const outgoing = (c.env as typeof c.env | undefined)?.outgoing;
  if (outgoing === undefined || outgoing.destroyed) release();
  else outgoing.once('close', release);
}

function holdUntilTaken<E extends HttpEnv>(c: Context<E>, charge: (bytes: number) => Release): void {
  const outgoing = (c.env as typeof c.env | undefined)?.outgoing;
  if (outgoing === undefined || outgoing.destroyed) return;
  outgoing.once('close', charge(answerLength(c.res)));
}
