/**
 * Searches by looking at everything in reach. Searches run in slices and take turns, as evaluations of filters do,
 * so that none of them holds anything else in the process up for longer than a slice.
 */

import { FairQueue } from '#adapters/memory/scheduling/fair-queue.ts';
import { waitInQueue } from '#adapters/memory/scheduling/wait-in-queue.ts';
import { SLICE_MS } from '#adapters/memory/scheduling/yield-to-event-loop.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { Searcher, SearchRequest } from '#application/ports/search/searcher.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import { ownersInReach } from '#domain/access/owners-in-reach.ts';
import { err, ok } from '#domain/result.ts';
import type { StoredCategory } from '#domain/search/search-category.ts';
import { compareRankedHits, type RankedHit, rankHit, type SearchHit } from '#domain/search/search-hit.ts';
import {
  textsOfAlert,
  textsOfDevice,
  textsOfScript,
  toAlertHit,
  toDeviceHit,
  toScriptHit,
} from '#domain/search/searched-item.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { containsFolded } from '#domain/text/match-folded.ts';
import { TopItems } from './top-items.ts';

type SearchedWorld = Pick<World, 'devices' | 'scripts' | 'alerts' | 'organizations'>;

export interface SearcherDeps {
  readonly world: SearchedWorld;
  /** A search that has worked and waited for so long is refused. */
  readonly timeoutMs: number;
  /** A clock that never steps, in milliseconds. */
  readonly elapsedMs: () => number;
}

/** It gives the best `limit` of each category and no more, from one snapshot. */
export function makeSearcher({ world, timeoutMs, elapsedMs }: SearcherDeps): Searcher {
  const queue = new FairQueue();
  return {
    async search(request) {
      const { limit, onBehalfOf, signal } = request;
      const deadline = elapsedMs() + timeoutMs;
      const best: Readonly<Record<StoredCategory, TopItems<RankedHit>>> = {
        devices: new TopItems(limit, compareRankedHits),
        scripts: new TopItems(limit, compareRankedHits),
        alerts: new TopItems(limit, compareRankedHits),
      };
      const foldedText = foldCase(request.text);
      const steps = look(world, request, foldedText);
      for (let isDone = false; !isDone; ) {
        await waitInQueue(queue, onBehalfOf, deadline - elapsedMs(), signal);
        if (signal?.aborted) return err({ kind: 'cancelled' });
        if (elapsedMs() >= deadline) return err({ kind: 'timeout' });
        const sliceEnd = Math.min(elapsedMs() + SLICE_MS, deadline);
        do {
          const step = steps.next();
          if (step.done) isDone = true;
          else if (step.value !== null) best[step.value.category].add(rankHit(step.value.hit, foldedText));
        } while (!isDone && elapsedMs() < sliceEnd);
      }
      return ok({
        devices: best.devices.first.map(({ hit }) => hit),
        scripts: best.scripts.first.map(({ hit }) => hit),
        alerts: best.alerts.first.map(({ hit }) => hit),
      });
    },
  };
}

interface Found {
  readonly category: StoredCategory;
  readonly hit: SearchHit;
}

/** Looks at one thing a step; null where that is not one to be found. */
function* look(
  { devices, scripts, alerts, organizations }: SearchedWorld,
  { scope, categories }: SearchRequest,
  foldedText: string,
): Generator<Found | null, void> {
  const isIn = containsFolded(foldedText);
  const isInOne = (texts: readonly (string | null)[]) => texts.some((text) => text !== null && isIn(text));
  const orgIds = reachableOrgIds(scope);
  const reachesOwner = ownersInReach(scope, (orgId) => organizations.get(orgId)?.partnerId);
  // Taken all at once, so that no write gets in between.
  const shelves = categories.includes('devices') ? devices.snapshot(orgIds) : [];
  const someScripts = categories.includes('scripts') ? [...scripts.values()] : [];
  const someAlerts = categories.includes('alerts') ? [...alerts.values()] : [];

  for (const shelf of shelves) {
    for (const device of shelf.values()) {
      yield isInOne(textsOfDevice(device)) ? { category: 'devices', hit: toDeviceHit(device) } : null;
    }
  }
  for (const script of someScripts) {
    const isFound = reachesOwner(script.owner) && isInOne(textsOfScript(script));
    yield isFound ? { category: 'scripts', hit: toScriptHit(script) } : null;
  }
  for (const alert of someAlerts) {
    const isFound =
      reachesOwner({ kind: 'organization', orgId: alert.orgId }) && isInOne(textsOfAlert(alert));
    yield isFound ? { category: 'alerts', hit: toAlertHit(alert) } : null;
  }
}
