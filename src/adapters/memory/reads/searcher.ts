import { FairQueue, visitInSlices } from '#adapters/memory/scheduling/slices.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type {
  FoundThing,
  SearchContext,
  Searcher,
  SearchRefusal,
  SearchRequest,
} from '#application/ports/search/searcher.ts';
import { type AccessScope, canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import { ownersInReach } from '#domain/access/ownership.ts';
import type { AlertId, DeviceId, OrgId, ScriptId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import {
  compareRankedHits,
  rankHit,
  type SearchHit,
  type StoredCategory,
  textsOfAlert,
  textsOfDevice,
  textsOfScript,
  toAlertHit,
  toDeviceHit,
  toScriptHit,
} from '#domain/search/search-hit.ts';
import { compareSimilarHits, makeRankSimilar } from '#domain/search/similar-hit.ts';
import { containsFolded, foldCase } from '#domain/text/fold-case.ts';
import { TopItems } from './top-items.ts';

type SearchedWorld = Pick<World, 'devices' | 'scripts' | 'alerts' | 'organizations'>;

export interface SearcherDeps {
  readonly world: SearchedWorld;
  /** A search that takes longer, including the wait in the queue, is refused. */
  readonly timeoutMs: number;
  readonly elapsedMs: () => number;
}

export function makeSearcher({ world, timeoutMs, elapsedMs }: SearcherDeps): Searcher {
  const queue = new FairQueue();
  return {
    async contextsOf(scope, things) {
      return things.flatMap((thing) => contextOf(world, scope, thing) ?? []);
    },
    async search(request) {
      const { text, orSimilar } = request;
      const deadline = elapsedMs() + timeoutMs;
      const foldedText = foldCase(text);
      const isIn = containsFolded(foldedText);
      const containing = await best(request, deadline, compareRankedHits, (texts, toHit) =>
        texts.some((one) => one !== null && isIn(one)) ? rankHit(toHit(), foldedText) : null,
      );
      if (!containing.ok) return containing;
      const isNone = Object.values(containing.value).every((hits) => hits.length === 0);
      if (!isNone || !orSimilar) return ok({ ...containing.value, areSimilar: false });
      const rank = makeRankSimilar(text);
      const similar = await best(request, deadline, compareSimilarHits, (_texts, toHit) => rank(toHit()));
      return similar.ok ? ok({ ...similar.value, areSimilar: true }) : similar;
    },
  };

  async function best<Ranked extends { readonly hit: SearchHit }>(
    request: SearchRequest,
    deadline: number,
    compare: (a: Ranked, b: Ranked) => number,
    rank: RankThing<Ranked>,
  ): Promise<Result<Readonly<Record<StoredCategory, readonly SearchHit[]>>, SearchRefusal>> {
    const { limit, onBehalfOf, signal } = request;
    const first: Readonly<Record<StoredCategory, TopItems<Ranked>>> = {
      devices: new TopItems(limit, compare),
      scripts: new TopItems(limit, compare),
      alerts: new TopItems(limit, compare),
    };
    const refusal = await visitInSlices(
      rankEach(world, request, rank),
      ({ category, ranked }) => {
        if (ranked !== null) first[category].add(ranked);
      },
      { queue, onBehalfOf, signal, deadline, elapsedMs },
    );
    if (refusal !== null) return err(refusal);
    return ok({
      devices: first.devices.first.map(({ hit }) => hit),
      scripts: first.scripts.first.map(({ hit }) => hit),
      alerts: first.alerts.first.map(({ hit }) => hit),
    });
  }
}

function contextOf(
  { devices, scripts, alerts, organizations }: SearchedWorld,
  scope: AccessScope,
  { type, id }: FoundThing,
): SearchContext | null {
  const named = (orgId: OrgId) => ({ id: orgId, name: organizations.get(orgId)?.name ?? '' });
  const deviceOf = (deviceId: DeviceId | null) => {
    const device = deviceId === null ? undefined : devices.get(deviceId);
    return device !== undefined && canReach(scope, device.orgId) ? device : null;
  };
  switch (type) {
    case 'devices': {
      const device = deviceOf(id as DeviceId);
      return device && { type, id, organization: named(device.orgId), device: null };
    }
    case 'scripts': {
      const owner = scripts.get(id as ScriptId)?.owner;
      const reachesOwner = ownersInReach(scope, (orgId) => organizations.get(orgId)?.partnerId);
      if (owner === undefined || !reachesOwner(owner)) return null;
      return {
        type,
        id,
        organization: owner.kind === 'organization' ? named(owner.orgId) : null,
        device: null,
      };
    }
    case 'alerts': {
      const alert = alerts.get(id as AlertId);
      if (alert === undefined || !canReach(scope, alert.orgId)) return null;
      const device = deviceOf(alert.deviceId);
      return {
        ...{ type, id, organization: named(alert.orgId) },
        device: device && { id: device.id, hostname: device.hostname },
      };
    }
  }
}

type RankThing<Ranked> = (texts: readonly (string | null)[], toHit: () => SearchHit) => Ranked | null;

interface Step<Ranked> {
  readonly category: StoredCategory;
  readonly ranked: Ranked | null;
}

/** Also yields after things that do not match, so a slice can end there. */
function* rankEach<Ranked>(
  { devices, scripts, alerts, organizations }: SearchedWorld,
  { scope, categories }: SearchRequest,
  rank: RankThing<Ranked>,
): Generator<Step<Ranked>, void> {
  const orgIds = reachableOrgIds(scope);
  const reachesOwner = ownersInReach(scope, (orgId) => organizations.get(orgId)?.partnerId);
  // All rows are read without a pause, so no write comes in between.
  const someDevices = categories.includes('devices') ? devices.snapshot(orgIds) : [];
  const someScripts = categories.includes('scripts') ? [...scripts.values()] : [];
  const someAlerts = categories.includes('alerts') ? [...alerts.values()] : [];

  for (const device of someDevices) {
    yield { category: 'devices', ranked: rank(textsOfDevice(device), () => toDeviceHit(device)) };
  }
  for (const script of someScripts) {
    const isInReach = reachesOwner(script.owner);
    const ranked = isInReach ? rank(textsOfScript(script), () => toScriptHit(script)) : null;
    yield { category: 'scripts', ranked };
  }
  for (const alert of someAlerts) {
    const isInReach = reachesOwner({ kind: 'organization', orgId: alert.orgId });
    const ranked = isInReach ? rank(textsOfAlert(alert), () => toAlertHit(alert)) : null;
    yield { category: 'alerts', ranked };
  }
}
