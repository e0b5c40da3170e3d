/**
 * Implements `DeviceMatcher` on the asset store. `compose(config, { matcher: makeAssetMatcher(store) })` uses it for
 * previews, saved filters and streams. The docstrings of the port have the rules; asset-matcher.test.ts checks them.
 */
import { type DeviceMatcher, type MatchRequest, MatchStreamError } from 'fleetsift/application';
import {
  canReach,
  compareCodePoints,
  compilePredicate,
  type DeviceFacts,
  type DeviceId,
  err,
  foldCase,
  type OrgId,
  ok,
  type PatchStatus,
  type PreviewDevice,
  readPlainDevice,
} from 'fleetsift/domain';
import { translatePattern } from 'fleetsift/postgres-regex';
import type { Asset, AssetStore } from './asset-store.ts';

const BATCH_SIZE = 500;

/** After this many assets, other work gets a turn, and cancellation is noticed. */
const SLICE = 200;

export function makeAssetMatcher(store: AssetStore): DeviceMatcher {
  /** Yields slices; throws refusals. */
  async function* findMatches({ filter, scope, at, signal }: MatchRequest): AsyncGenerator<Asset[]> {
    const matches = compilePredicate(filter, translatePattern);
    if (!matches.ok) throw new Refusal({ kind: 'invalid-pattern', reason: matches.error[0]?.message ?? '' });
    const { assets, critical } = store;
    let found: Asset[] = [];
    let seen = 0;
    for (const asset of assets.values()) {
      if (seen++ % SLICE === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        if (signal?.aborted) throw new Refusal({ kind: 'cancelled' });
        yield found;
        found = [];
      }
      if (canReach(scope, asset.customer_id as OrgId) && matches.value(toDevice(asset, critical), at)) {
        found.push(asset);
      }
    }
    if (signal?.aborted) throw new Refusal({ kind: 'cancelled' });
    yield found;
  }

  return {
    async preview(request, limit) {
      const found: Asset[] = [];
      try {
        for await (const slice of findMatches(request)) found.push(...slice);
      } catch (error) {
        if (error instanceof Refusal) return err(error.refusal);
        throw error;
      }
      const devices = found.sort(byName).slice(0, limit).map(toPreviewDevice);
      return ok({ totalCount: found.length, devices });
    },

    async matches({ filter, scope, at, signal }, id) {
      if (signal?.aborted) return err({ kind: 'cancelled' });
      const matches = compilePredicate(filter, translatePattern);
      if (!matches.ok) return err({ kind: 'invalid-pattern', reason: matches.error[0]?.message ?? '' });
      const asset = store.assets.get(id);
      if (asset === undefined || !canReach(scope, asset.customer_id as OrgId)) return ok(false);
      return ok(matches.value(toDevice(asset, store.critical), at));
    },

    async *streamIds(request) {
      let batch: DeviceId[] = [];
      try {
        for await (const slice of findMatches(request)) {
          batch.push(...slice.map(({ asset_id }) => asset_id as DeviceId));
          if (batch.length < BATCH_SIZE) continue;
          yield batch;
          batch = [];
        }
      } catch (error) {
        throw error instanceof Refusal ? new MatchStreamError(error.refusal) : error;
      }
      if (batch.length > 0) yield batch;
    },
  };
}

class Refusal extends Error {
  readonly refusal: MatchStreamError['refusal'];

  constructor(refusal: MatchStreamError['refusal']) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

function toDevice(asset: Asset, critical: ReadonlySet<string | null>): DeviceFacts {
  return readPlainDevice({
    ...asset.facts,
    id: asset.asset_id,
    orgId: asset.customer_id,
    siteId: asset.site_id,
    hostname: asset.name,
    displayName: asset.label,
    status: asset.state as PreviewDevice['status'],
    patches: asset.updates?.map(({ name, state }) => ({ title: name, status: state as PatchStatus })) ?? null,
    criticalAlertCount: critical.has(asset.asset_id) ? 1 : 0,
  });
}

function toPreviewDevice({ asset_id, name, label, state, facts }: Asset): PreviewDevice {
  return {
    id: asset_id as DeviceId,
    hostname: name,
    displayName: label,
    osType: (facts.osType ?? null) as PreviewDevice['osType'],
    status: state as PreviewDevice['status'],
    lastSeenAt: (facts.lastSeenAt ?? null) as number | null,
  };
}

function byName(a: Asset, b: Asset): number {
  return compareCodePoints(foldCase(a.name), foldCase(b.name)) || (a.asset_id < b.asset_id ? -1 : 1);
}
