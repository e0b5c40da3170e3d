import { toScope } from '#adapters/memory/stores/identity/principal-store.ts';
import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { StoredUser, World } from '#adapters/memory/tables/world.ts';
import type {
  DeletionRequestReader,
  DeletionRequestWriter,
  RequestForReview,
} from '#application/ports/deletion/deletion-request-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { attributionOf, isWithinReach } from '#domain/access/ownership.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import {
  compareNewestRequestFirst,
  type DeletionRequest,
  nextErasureAttempt,
  REMINDER_LEAD_MS,
  verdictOf,
} from '#domain/deletion/deletion-request.ts';
import type { UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';
import type { EpochMs } from '#domain/time.ts';

export interface StoredDeletionRequest {
  readonly request: DeletionRequest;
  readonly failures: number;
  readonly problem: string | null;
  readonly nextAttemptAt: EpochMs | null;
  readonly remindedAt: EpochMs | null;
}

export function makeDeletionRequestReader(
  world: Pick<World, 'deletionRequests' | 'users'>,
): DeletionRequestReader {
  const reachable = (scope: AccessScope) =>
    [...world.deletionRequests.values()]
      .map(({ request }) => request)
      .filter((request) => isWithinReach(scope, request));
  const forReview = (scope: AccessScope, request: DeletionRequest): RequestForReview => {
    const personOf = (id: UserId | undefined) => {
      const user = id === undefined ? undefined : world.users.get(id);
      const isInReach = user !== undefined && isWithinReach(scope, attributionOf(user.membership));
      return isInReach ? user : { email: null, name: null };
    };
    const { email, name } = personOf(request.userId);
    return {
      request: structuredClone(request),
      user: { id: request.userId, email, name },
      deciderName: personOf(verdictOf(request)?.by).name,
    };
  };
  return {
    async findLatestOf(userId) {
      return latestOf(world.deletionRequests.values(), userId);
    },
    async find(scope, id) {
      const request = world.deletionRequests.get(id)?.request;
      return request !== undefined && isWithinReach(scope, request) ? forReview(scope, request) : null;
    },
    async list(scope, { status, orgId, limit, offset }) {
      const found = reachable(scope)
        .filter((request) => status === null || request.status === status)
        .filter((request) => orgId === null || request.orgId === orgId)
        .sort(compareNewestRequestFirst);
      const page = found.slice(offset, offset + limit);
      return { requests: page.map((request) => forReview(scope, request)), total: found.length };
    },
    async countPending(scope) {
      return reachable(scope).filter(({ status }) => status === 'pending').length;
    },
    async findNotes(scope, ids) {
      const wanted = new Set(ids);
      const notes = reachable(scope)
        .filter(({ id }) => wanted.has(id))
        .map((request) => [request.id, verdictOf(request)?.note ?? null] as const);
      return new Map(notes.flatMap(([id, note]) => (note === null ? [] : [[id, note] as const])));
    },
  };
}

export function moveOpenRequest(
  { deletionRequests }: Pick<World, 'deletionRequests'> | Pick<StagedTables, 'deletionRequests'>,
  { id: userId, membership }: Pick<StoredUser, 'id' | 'membership'>,
): void {
  for (const [id, stored] of [...deletionRequests.entries()]) {
    if (stored.request.userId !== userId || !isOpen(stored.request)) continue;
    deletionRequests.set(id, { ...stored, request: { ...stored.request, ...attributionOf(membership) } });
  }
}

export function makeDeletionRequestWriter(
  world: Pick<World, 'organizations' | 'users'>,
  { deletionRequests: requests }: Pick<StagedTables, 'deletionRequests'>,
  scope: AccessScope,
): DeletionRequestWriter {
  const assertSystem = () => {
    if (scope.kind !== 'system') throw new Error('this needs the system scope');
  };
  return {
    async holdAccount(userId) {
      assertSystem();
      const user = world.users.get(userId);
      return user?.status === 'active'
        ? { person: toRecipient(user), ...attributionOf(user.membership) }
        : null;
    },
    async findLatestOf(userId) {
      assertSystem();
      return latestOf(requests.values(), userId);
    },
    async findForUpdate(id) {
      const request = requests.get(id)?.request;
      return request !== undefined && isWithinReach(scope, request) ? structuredClone(request) : null;
    },
    async add(request) {
      if (!isWithinReach(scope, request)) throw new Error(`request ${request.id} is out of reach`);
      const { id, userId, orgId } = request;
      if (!world.users.has(userId)) throw new Error(`there is no user ${userId}`);
      if (orgId !== null && !world.organizations.has(orgId)) {
        throw new Error(`there is no organization ${orgId}`);
      }
      if (requests.get(id) !== null) throw new Error(`request ${id} already exists`);
      if (requests.values().some(({ request: each }) => each.userId === userId && isOpen(each))) {
        throw new Error(`user ${userId} already has an open request`);
      }
      requests.set(request.id, {
        request: structuredClone(request),
        failures: 0,
        problem: null,
        nextAttemptAt: null,
        remindedAt: null,
      });
    },
    async advance(from, next) {
      const stored = requests.get(next.id);
      if (stored?.request.status !== from || !isWithinReach(scope, stored.request)) {
        throw new Error(`request ${next.id} is not ${from}`);
      }
      requests.set(next.id, { ...stored, request: structuredClone(next) });
    },
    async findReviewerCandidates(attribution) {
      assertSystem();
      return [...world.users.values()]
        .filter(
          (user) =>
            user.status === 'active' &&
            (user.permissions.includes(USERS_WRITE) || user.isPlatformAdmin) &&
            isWithinReach(toScope(world, user), attribution),
        )
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((user) => ({
          person: toRecipient(user),
          scope: user.membership.scope,
          permissions: [...user.permissions],
          isPlatformAdmin: user.isPlatformAdmin,
        }));
    },
    async takeReminder(now) {
      assertSystem();
      const [due] = requests
        .values()
        .filter(({ request: { processBy }, remindedAt }) => {
          return remindedAt === null && processBy <= now + REMINDER_LEAD_MS;
        })
        .map(({ request }) => request)
        .filter((request) => request.status === 'pending')
        .toArray()
        .sort(compareDue);
      const stored = due === undefined ? null : requests.get(due.id);
      if (due === undefined || stored === null) return null;
      requests.set(due.id, { ...stored, remindedAt: now });
      return structuredClone(due);
    },
    async findPerson(userId) {
      const user = world.users.get(userId);
      return user !== undefined && isWithinReach(scope, attributionOf(user.membership))
        ? toRecipient(user)
        : null;
    },
    async claimDue(now) {
      assertSystem();
      const [due] = requests
        .values()
        .filter(({ request, nextAttemptAt }) => request.processBy <= now && (nextAttemptAt ?? now) <= now)
        .map(({ request }) => request)
        .filter((request) => request.status === 'processing')
        .toArray()
        .sort(compareDue);
      return due === undefined ? null : structuredClone(due);
    },
    async setAside(id, { problem, failedAt }) {
      assertSystem();
      const stored = requests.get(id);
      if (stored?.request.status !== 'processing') return null;
      const failures = stored.failures + 1;
      const nextAttemptAt = nextErasureAttempt(failures, failedAt);
      requests.set(id, { ...stored, failures, problem, nextAttemptAt });
      return { failures, nextAttemptAt };
    },
  };
}

function compareDue(a: DeletionRequest, b: DeletionRequest): number {
  return a.processBy - b.processBy || (a.id < b.id ? -1 : 1);
}

export function isOpen({ status }: DeletionRequest): boolean {
  return status === 'pending' || status === 'processing';
}

function latestOf(rows: Iterable<StoredDeletionRequest>, userId: UserId): DeletionRequest | null {
  const [latest] = [...rows]
    .map(({ request }) => request)
    .filter((request) => request.userId === userId)
    .sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || compareNewestRequestFirst(a, b));
  return latest === undefined ? null : structuredClone(latest);
}

function toRecipient({ id, email, name }: StoredUser): MailRecipient {
  return { userId: id, email, name };
}
