/** A store of devices with another vocabulary. Only asset-matcher.ts connects it to Fleetsift. */

export interface Asset {
  readonly asset_id: string;
  readonly customer_id: string;
  readonly site_id: string | null;
  readonly name: string;
  readonly label: string | null;
  readonly state: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Null if the asset has never reported any. */
  readonly updates: readonly { readonly name: string; readonly state: string }[] | null;
}

export interface Incident {
  readonly incident_id: string;
  readonly asset_id: string | null;
  readonly is_critical: boolean;
}

/** Rows are replaced and never changed, so each reader has a snapshot. */
export class AssetStore {
  #assets: ReadonlyMap<string, Asset> = new Map();
  #incidents: ReadonlyMap<string, Incident> = new Map();

  write(assets: readonly Asset[], incidents: readonly Incident[]): void {
    this.#assets = new Map([...this.#assets, ...assets.map((asset) => [asset.asset_id, asset] as const)]);
    this.#incidents = new Map([
      ...this.#incidents,
      ...incidents.map((incident) => [incident.incident_id, incident] as const),
    ]);
  }

  get assets(): ReadonlyMap<string, Asset> {
    return this.#assets;
  }

  get critical(): ReadonlySet<string | null> {
    const critical = [...this.#incidents.values()].filter(({ is_critical }) => is_critical);
    return new Set(critical.map(({ asset_id }) => asset_id));
  }
}
