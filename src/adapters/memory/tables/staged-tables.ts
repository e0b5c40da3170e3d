import type { World } from './world.ts';

export class StagedMap<K, V> {
  readonly #base: Map<K, V>;
  readonly #changes = new Map<K, V | null>();
  readonly #assertUsable: () => void;

  constructor(base: Map<K, V>, assertUsable: () => void) {
    this.#base = base;
    this.#assertUsable = assertUsable;
  }

  get(key: K): V | null {
    this.#assertUsable();
    const change = this.#changes.get(key);
    return change === undefined ? (this.#base.get(key) ?? null) : change;
  }

  set(key: K, value: V): void {
    this.#assertUsable();
    this.#changes.set(key, value);
  }

  delete(key: K): void {
    this.#assertUsable();
    this.#changes.set(key, null);
  }

  *entries(): IterableIterator<readonly [K, V]> {
    this.#assertUsable();
    for (const entry of this.#base) if (!this.#changes.has(entry[0])) yield entry;
    for (const [key, value] of this.#changes) if (value !== null) yield [key, value];
  }

  *values(): Generator<V, undefined> {
    for (const [, value] of this.entries()) yield value;
  }

  commit(): void {
    for (const [key, value] of this.#changes) {
      if (value === null) this.#base.delete(key);
      else this.#base.set(key, value);
    }
  }
}

/** `assertOpen` throws once the transaction has ended. `assertSystem` also throws outside the system scope. */
export function stageTables(world: World, assertOpen: () => void, assertSystem: () => void) {
  const tables = {
    partners: new StagedMap(world.partners, assertOpen),
    organizations: new StagedMap(world.organizations, assertOpen),
    sites: new StagedMap(world.sites, assertOpen),
    scripts: new StagedMap(world.scripts, assertOpen),
    users: new StagedMap(world.users, assertOpen),
    links: new StagedMap(world.links, assertSystem),
    resetRequests: new StagedMap(world.resetRequests, assertSystem),
    sessions: new StagedMap(world.sessions, assertOpen),
    refreshTokens: new StagedMap(world.refreshTokens, assertOpen),
    mfaEnrollments: new StagedMap(world.mfaEnrollments, assertOpen),
    recoveryCodes: new StagedMap(world.recoveryCodes, assertOpen),
    ownNetworks: new StagedMap(world.ownNetworks, assertOpen),
    passkeys: new StagedMap(world.passkeys, assertOpen),
    identityProviders: new StagedMap(world.identityProviders, assertSystem),
    federatedIdentities: new StagedMap(world.federatedIdentities, assertSystem),
    apiKeys: new StagedMap(world.apiKeys, assertOpen),
    apiKeyIdsBySha256: new StagedMap(world.apiKeyIdsBySha256, assertOpen),
    userIdsByEmail: new StagedMap(world.userIdsByEmail, assertOpen),
    erasedUsers: new StagedMap(world.erasedUsers, assertOpen),
    deletionRequests: new StagedMap(world.deletionRequests, assertOpen),
    enrolmentKeys: new StagedMap(world.enrolmentKeys, assertOpen),
    customFields: new StagedMap(world.customFields, assertOpen),
    filters: new StagedMap(world.filters, assertOpen),
    filterVersions: new StagedMap(world.filterVersions, assertOpen),
    subscriptions: new StagedMap(world.subscriptions, assertOpen),
    progress: new StagedMap(world.progress, assertOpen),
    webhookSecrets: new StagedMap(world.webhookSecrets, assertOpen),
    deliveries: new StagedMap(world.deliveries, assertOpen),
    bulkChanges: new StagedMap(world.bulkChanges, assertOpen),
    alerts: new StagedMap(world.alerts, assertOpen),
  };
  return {
    ...tables,
    commit: () => {
      for (const table of Object.values(tables)) table.commit();
    },
  };
}

export type StagedTables = ReturnType<typeof stageTables>;
