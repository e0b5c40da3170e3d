import type { World } from '#adapters/memory/tables/world.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { MemberCount, Memberships } from '#application/ports/live/memberships.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { isWithinReach } from '#domain/access/ownership.ts';
import type { FilterId, PartnerId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { stageEvaluation } from './evaluation.ts';
import type { Feed } from './live-table.ts';

/** An evaluation holds the world's lock. Readers see its writes only when it ends. */
export function makeMemberships(world: World, customFields: CustomFieldSource): Memberships {
  const { live, lock } = world;
  const running = new Set<PartnerId>();
  const evaluatedFeed = (scope: AccessScope, filterId: FilterId): Feed | null => {
    const feed = live.feeds.get(filterId);
    return feed?.evaluated != null && isWithinReach(scope, feed) ? feed : null;
  };
  return {
    watch: (scope, filterId) =>
      lock(() => {
        const filter = world.filters.get(filterId);
        if (filter === undefined || !isWithinReach(scope, filter)) return false;
        live.watchFilter(filter);
        return true;
      }),
    unwatch: (scope, filterId) =>
      lock(() => {
        const feed = live.feeds.get(filterId);
        if (feed !== undefined && isWithinReach(scope, feed)) live.unwatchFilter(filterId);
      }),
    async members(scope, filterId) {
      const feed = evaluatedFeed(scope, filterId);
      if (feed === null) return null;
      const { seq, filterVersion, evaluatedAt } = feed;
      return { seq, filterVersion, evaluatedAt, ids: [...(live.members.get(filterId)?.keys() ?? [])] };
    },
    async membershipsOf(scope, deviceId) {
      const since = new Map<FilterId, EpochMs>();
      for (const id of live.filtersWith.get(deviceId) ?? []) {
        const at = live.members.get(id)?.get(deviceId);
        if (at !== undefined && evaluatedFeed(scope, id)?.isWatched === true) since.set(id, at);
      }
      return since;
    },
    async changes(scope, filterId, start, limit) {
      const feed = evaluatedFeed(scope, filterId);
      if (feed === null) return null;
      const { seq, changes } = feed;
      const forgotten = seq - changes.length;
      const after = start ?? Math.max(forgotten, seq - limit);
      if (after < forgotten || after > seq) return 'expired';
      const page = changes.slice(after - forgotten, after - forgotten + limit);
      return { changes: page, hasMore: after + page.length < seq };
    },
    // Edits of filters and custom fields leave no mark here, so every partner with a watched filter counts as waiting.
    async waiting() {
      const partners = new Set<PartnerId>();
      for (const [id, { orgId, partnerId, isWatched }] of live.feeds) {
        const owner = partnerId ?? (orgId && world.organizations.get(orgId)?.partnerId);
        if (isWatched && owner && world.filters.has(id)) partners.add(owner);
      }
      return [...partners];
    },
    async heads(filterIds) {
      const heads = new Map<FilterId, number>();
      for (const id of filterIds) {
        const feed = live.feeds.get(id);
        if (feed?.evaluated != null) heads.set(id, feed.seq);
      }
      return heads;
    },
    async counts(scope, filterId, instants) {
      const feed = evaluatedFeed(scope, filterId);
      if (feed === null) return null;
      const { changes } = feed;
      let count = live.members.get(filterId)?.size ?? 0;
      let next = changes.length - 1;
      const counts = instants.toReversed().map((at): MemberCount => {
        for (let change = changes[next]; change !== undefined && change.at > at; change = changes[--next]) {
          if (change.type === 'entered') count -= 1;
          if (change.type === 'left') count += 1;
        }
        return { at, count };
      });
      return counts.reverse();
    },
    async countAt(scope, filterId, seq) {
      const feed = evaluatedFeed(scope, filterId);
      if (feed === null || seq > feed.seq || seq < feed.seq - feed.changes.length) return null;
      const later = feed.changes.filter((change) => change.seq > seq);
      const countOf = (type: 'entered' | 'left') => later.filter((change) => change.type === type).length;
      return (live.members.get(filterId)?.size ?? 0) - countOf('entered') + countOf('left');
    },
    forget: (keptFrom, keptCount) =>
      lock(() => {
        let forgotten = 0;
        for (const [id, feed] of live.feeds) {
          const { changes } = feed;
          const old = changes.findIndex(({ at }) => at >= keptFrom);
          const count = Math.max(old === -1 ? changes.length : old, changes.length - keptCount);
          if (count === 0) continue;
          live.feeds.set(id, { ...feed, changes: changes.slice(count) });
          forgotten += count;
        }
        for (const [id, { evaluatedAt }] of live.feeds) {
          if (evaluatedAt < keptFrom && !world.filters.has(id)) live.forgetFeed(id);
        }
        return forgotten;
      }),
    listen(news, wake) {
      const own = () => wake();
      live.wakers[news].add(own);
      return () => void live.wakers[news].delete(own);
    },
    async evaluate(partnerId, work) {
      if (running.has(partnerId)) return null;
      running.add(partnerId);
      try {
        return await lock(async () => {
          const { evaluation, commit } = stageEvaluation(world, partnerId, customFields);
          const result = await work(evaluation);
          commit();
          live.announce('changes');
          return result;
        });
      } finally {
        running.delete(partnerId);
      }
    },
  };
}
