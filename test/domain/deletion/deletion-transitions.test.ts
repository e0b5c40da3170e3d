/** The state machine: every state with every command (Spec: States and transitions; Contract: §7). */
import { describe, expect, test } from 'vitest';
import { type DeletionRequest, GRACE_PERIOD_MS } from '#domain/deletion/deletion-request.ts';
import {
  type DeletionCommand,
  type DeletionDecisions,
  decideDeletion,
} from '#domain/deletion/deletion-transitions.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';
import {
  aCancelledRequest,
  aCompletedRequest,
  aPendingRequest,
  aProcessingRequest,
} from '#test/support/deletions.ts';

const OWNER = newId<'user'>();
const ADMIN = newId<'user'>();
const OTHER_ADMIN = newId<'user'>();
const ORG = newId<'organization'>();
const PROCESS_BY = SOME_INSTANT + GRACE_PERIOD_MS;
/** Past `processBy`, so that time alone refuses nothing. */
const LATER = PROCESS_BY + 1;

const own = { userId: OWNER, orgId: ORG, reason: 'I have left' };

const STATES = {
  none: null,
  pending: aPendingRequest(own),
  processing: aProcessingRequest({
    ...own,
    verdict: { at: SOME_INSTANT, by: OTHER_ADMIN, note: 'as asked' },
  }),
  completed: aCompletedRequest({ ...own, reason: null }),
  withdrawn: aCancelledRequest(own),
  rejected: aCancelledRequest({ ...own, verdict: { at: SOME_INSTANT, by: OTHER_ADMIN, note: 'not yet' } }),
} as const satisfies Readonly<Record<string, DeletionRequest | null>>;
type StateName = keyof typeof STATES;

const NEW_ID = newId<'deletion-request'>();

const COMMANDS = {
  submit: {
    kind: 'submit',
    id: NEW_ID,
    by: OWNER,
    orgId: ORG,
    partnerId: null,
    reason: 'I have left for good',
    at: LATER,
  },
  'cancel own': { kind: 'cancel', by: OWNER, at: LATER },
  'cancel foreign': { kind: 'cancel', by: ADMIN, at: LATER },
  approve: { kind: 'approve', by: ADMIN, note: 'sorry to see you go', at: LATER },
  'approve own': { kind: 'approve', by: OWNER, note: null, at: LATER },
  reject: { kind: 'reject', by: ADMIN, note: 'talk to us first', at: LATER },
  'reject own': { kind: 'reject', by: OWNER, note: 'no', at: LATER },
  'reject without a note': { kind: 'reject', by: ADMIN, note: null, at: LATER },
  complete: { kind: 'complete', at: LATER },
  'complete early': { kind: 'complete', at: PROCESS_BY - 1 },
} as const satisfies Readonly<Record<string, DeletionCommand>>;
type CommandName = keyof typeof COMMANDS;

/** The reason of each refusal. Tests below spell out `accepted` and `unchanged`. */
const TABLE: Readonly<Record<CommandName, Readonly<Record<StateName, string>>>> = {
  submit: {
    none: 'accepted',
    pending: 'unchanged',
    processing: 'already-approved',
    completed: 'accepted',
    withdrawn: 'accepted',
    rejected: 'accepted',
  },
  'cancel own': {
    none: 'not-found',
    pending: 'accepted',
    processing: 'not-pending',
    completed: 'not-pending',
    withdrawn: 'not-pending',
    rejected: 'not-pending',
  },
  'cancel foreign': everywhere('not-found'),
  approve: {
    none: 'not-found',
    pending: 'accepted',
    processing: 'not-pending',
    completed: 'not-pending',
    withdrawn: 'not-pending',
    rejected: 'not-pending',
  },
  'approve own': {
    none: 'not-found',
    pending: 'accepted',
    processing: 'not-pending',
    completed: 'not-pending',
    withdrawn: 'not-pending',
    rejected: 'not-pending',
  },
  reject: {
    none: 'not-found',
    pending: 'accepted',
    processing: 'not-pending',
    completed: 'not-pending',
    withdrawn: 'not-pending',
    rejected: 'not-pending',
  },
  'reject own': {
    none: 'not-found',
    pending: 'accepted',
    processing: 'not-pending',
    completed: 'not-pending',
    withdrawn: 'not-pending',
    rejected: 'not-pending',
  },
  'reject without a note': { ...everywhere('note-required'), none: 'not-found' },
  complete: {
    none: 'not-found',
    pending: 'not-approved',
    processing: 'accepted',
    completed: 'not-approved',
    withdrawn: 'not-approved',
    rejected: 'not-approved',
  },
  'complete early': { ...everywhere('not-approved'), none: 'not-found', processing: 'too-early' },
};

function everywhere(outcome: string): Readonly<Record<StateName, string>> {
  return {
    none: outcome,
    pending: outcome,
    processing: outcome,
    completed: outcome,
    withdrawn: outcome,
    rejected: outcome,
  };
}

const PAIRS = Object.entries(TABLE).flatMap(([command, row]) =>
  Object.entries(row).map(([state, outcome]) => [command, state, outcome] as const),
) as readonly (readonly [CommandName, StateName, string])[];

function told(decision: DeletionDecisions[keyof DeletionDecisions]): string {
  return decision.outcome === 'refused' ? decision.reason : decision.outcome;
}

describe('every command in every state', () => {
  test.each(PAIRS)('%s, %s: %s', (command, state, outcome) => {
    expect(told(decideDeletion(STATES[state], COMMANDS[command]))).toBe(outcome);
  });

  test.each(PAIRS)('%s, %s: leaves its input unchanged', (command, state) => {
    const before = structuredClone(STATES[state]);
    decideDeletion(Object.freeze(STATES[state]), Object.freeze(COMMANDS[command]));
    expect(STATES[state]).toStrictEqual(before);
  });
});

describe('accepted commands', () => {
  test.each(['none', 'completed', 'withdrawn', 'rejected'] as const)(
    'submit in the state %s creates a request and tells the reviewers',
    (state) => {
      expect(decideDeletion(STATES[state], COMMANDS.submit)).toStrictEqual({
        outcome: 'accepted',
        request: {
          id: NEW_ID,
          userId: OWNER,
          orgId: ORG,
          partnerId: null,
          reason: 'I have left for good',
          status: 'pending',
          requestedAt: LATER,
          processBy: LATER + 2_592_000_000,
          createdAt: LATER,
          updatedAt: LATER,
        },
        effects: { audit: 'user.account_deletion.requested', mail: 'deletion-review' },
      });
    },
  );

  test('submit in the state pending returns the existing request without effects', () => {
    expect(decideDeletion(STATES.pending, COMMANDS.submit)).toStrictEqual({
      outcome: 'unchanged',
      request: STATES.pending,
    });
  });

  test('cancel leaves no verdict and sends no mail', () => {
    expect(decideDeletion(STATES.pending, COMMANDS['cancel own'])).toStrictEqual({
      outcome: 'accepted',
      request: { ...STATES.pending, status: 'cancelled', verdict: null, updatedAt: LATER },
      effects: { audit: 'user.account_deletion.cancelled', mail: null },
    });
  });

  test.each(['as asked', null])('approve with the note %j keeps the note in the verdict', (note) => {
    expect(decideDeletion(STATES.pending, { ...COMMANDS.approve, note })).toStrictEqual({
      outcome: 'accepted',
      request: {
        ...STATES.pending,
        status: 'processing',
        verdict: { at: LATER, by: ADMIN, note },
        updatedAt: LATER,
      },
      effects: { audit: 'user.account_deletion.approved', mail: 'deletion-approved' },
    });
  });

  test('reject cancels the request with a verdict and tells the user', () => {
    expect(decideDeletion(STATES.pending, COMMANDS.reject)).toStrictEqual({
      outcome: 'accepted',
      request: {
        ...STATES.pending,
        status: 'cancelled',
        verdict: { at: LATER, by: ADMIN, note: 'talk to us first' },
        updatedAt: LATER,
      },
      effects: { audit: 'user.account_deletion.rejected', mail: 'deletion-rejected' },
    });
  });

  test('complete deletes the texts about the person, and keeps who decided and when', () => {
    expect(decideDeletion(STATES.processing, COMMANDS.complete)).toStrictEqual({
      outcome: 'accepted',
      request: {
        ...STATES.processing,
        status: 'completed',
        reason: null,
        verdict: { at: SOME_INSTANT, by: OTHER_ADMIN, note: null },
        updatedAt: LATER,
      },
      effects: { audit: 'user.account_deletion.completed', mail: 'deletion-completed' },
    });
  });

  test.each([
    [PROCESS_BY - 1, 'too-early'],
    [PROCESS_BY, 'accepted'],
    [PROCESS_BY + 1, 'accepted'],
  ])('complete at %i: %s', (at, outcome) => {
    expect(told(decideDeletion(STATES.processing, { kind: 'complete', at }))).toBe(outcome);
  });

  test('updatedAt never goes back, whatever the clock does', () => {
    const decision = decideDeletion(STATES.pending, { ...COMMANDS.approve, at: SOME_INSTANT - 5_000 });
    expect(decision).toMatchObject({
      request: { updatedAt: SOME_INSTANT, verdict: { at: SOME_INSTANT - 5_000 } },
    });
  });
});
