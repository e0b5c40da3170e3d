/** Counts what a differential run has asked, so that gaps in its coverage show. */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { titleOfKey } from '#domain/filter/catalog/title-versions.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { Agreement, Question } from './compare-evaluators.ts';
import type { Reach } from './differential-world.ts';

export class DifferentialTally {
  /** Filters that all evaluators agreed about. */
  filters = 0;
  /** Drawn filters with a pattern that the in-process evaluator refuses. */
  untranslatable = 0;
  /** Filters by how many of the devices in reach match, if there are any devices. */
  readonly outcomes = { none: 0, some: 0, all: 0 };
  /** Conditions that were compared with their complements. */
  complements = 0;
  worlds = 0;
  devices = 0;
  readonly #hits = new Map<string, number>();

  addWorld(reaches: readonly Reach[]): void {
    this.worlds++;
    this.devices += Math.max(...reaches.map(({ devices }) => devices.length));
    for (const { catalog } of reaches) {
      for (const entry of catalog.values()) {
        if (entry.kind === 'ambiguous') continue;
        for (const operator of entry.field.operators) {
          const pair = pairOf(entry.field, operator);
          this.#hits.set(pair, this.#hits.get(pair) ?? 0);
        }
      }
    }
  }

  addAgreement({ reach }: Question, agreement: Agreement): void {
    if (agreement.kind === 'untranslatable') {
      this.untranslatable++;
      return;
    }
    const { filter, matching } = agreement;
    this.filters++;
    const total = reach.devices.length;
    if (total > 0) this.outcomes[matching === 0 ? 'none' : matching === total ? 'all' : 'some']++;
    const pairs = new Set<string>();
    foldConditions(filter, {
      condition: ({ field, operator }) => void pairs.add(pairOf(field, operator)),
      group: () => undefined,
    });
    for (const pair of pairs) this.#hits.set(pair, (this.#hits.get(pair) ?? 0) + 1);
  }

  addComplement(): void {
    this.complements++;
  }

  /** The number of filters with each legal pair of field and operator, the rarest first. */
  get hits(): readonly (readonly [pair: string, filters: number])[] {
    return [...this.#hits].toSorted(([, a], [, b]) => a - b);
  }

  /** The share of drawn filters that could not be compared, 0 to 1. */
  get untranslatableShare(): number {
    return this.untranslatable / Math.max(1, this.filters + this.untranslatable);
  }

  toString(): string {
    const { none, some, all } = this.outcomes;
    const { hits } = this;
    const share = (count: number) => `${((100 * count) / Math.max(1, none + some + all)).toFixed(1)} %`;
    return [
      `${this.filters} filters and ${this.complements} pairs of complements over ${this.devices} devices in ${this.worlds} worlds`,
      `matching none ${share(none)}, some ${share(some)}, all ${share(all)}`,
      `not compared for a pattern: ${(100 * this.untranslatableShare).toFixed(2)} %`,
      `${hits.length} pairs of field and operator; the rarest in ${hits[0]?.[1]} filters (${hits[0]?.[0]}), the median in ${hits[Math.floor(hits.length / 2)]?.[1]}`,
    ].join('\n');
  }
}

/** Custom fields and titles differ between worlds, so custom fields count by type, and all titles as one field. */
function pairOf({ source, key }: FilterField, operator: string): string {
  if (source.kind === 'custom') return `custom (${source.field.type}) ${operator}`;
  return `${titleOfKey(key) === null ? key : 'software[…].version'} ${operator}`;
}
