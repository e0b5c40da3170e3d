/** Somebody else's store of devices, with names of its own: all that Fleetsift is to know of it is in asset-matcher.ts. */

export interface Asset {
  readonly asset_id: string;
  readonly customer_id: string;
  readonly site_id: string | null;
  readonly name: string;
  readonly label: string | null;
  readonly state: string;
  /** Whatever else is known of it. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly open_patches: number;
}

export interface Incident {
  readonly incident_id: string;
  readonly asset_id: string | null;
  readonly is_critical: boolean;
}

/** What is written takes the place of what it was before: rows are never changed, so whoever reads has a snapshot. */
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

  /** The assets with critical incidents. */
  get critical(): ReadonlySet<string | null> {
    const critical = [...this.#incidents.values()].filter(({ is_critical }) => is_critical);
    return new Set(critical.map(({ asset_id }) => asset_id));
  }
}
