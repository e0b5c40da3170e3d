/** What a search finds, and the order of what it finds within a category (Contract: §6). */
import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { findMatchTier, type MatchTier } from './match-tier.ts';

/** Something of one category that has the text in one of its searched fields. */
export interface SearchHit {
  readonly id: string;
  readonly title: string;
  /** Null where there is none; never empty. */
  readonly description: string | null;
}

/** A hit with what its place depends on. */
export interface RankedHit<Hit extends SearchHit = SearchHit> {
  readonly hit: Hit;
  readonly tier: MatchTier;
  readonly foldedTitle: string;
}

/** `foldedText` is what was looked for, folded. */
export function rankHit<Hit extends SearchHit>(hit: Hit, foldedText: string): RankedHit<Hit> {
  const foldedTitle = foldCase(hit.title);
  return { hit, foldedTitle, tier: findMatchTier(foldedTitle, foldedText) };
}

/** By tier, then folded title in code point order, then id. No two hits of a category come together. */
export function compareRankedHits(a: RankedHit, b: RankedHit): number {
  return (
    a.tier - b.tier ||
    compareCodePoints(a.foldedTitle, b.foldedTitle) ||
    (a.hit.id < b.hit.id ? -1 : a.hit.id > b.hit.id ? 1 : 0)
  );
}
