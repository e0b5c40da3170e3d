/** The hits of a search, and their order within a category (Contract: §6). */
import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { findMatchTier, type MatchTier } from './match-tier.ts';

/** An item with the text in one of its searched fields. */
export interface SearchHit {
  readonly id: string;
  readonly title: string;
  /** Null if there is none; never empty. */
  readonly description: string | null;
  /** The searched fields with a text that is not the title, in the order of the specification. */
  readonly beside: readonly SearchedField[];
}

/** A searched field by its name, and its text. */
export interface SearchedField {
  readonly field: string;
  readonly value: string;
}

/** Where the folded text is, if not in the title: the first field that contains it; null if it is in the title. */
export function findMatch({ title, beside }: SearchHit, foldedText: string): SearchedField | null {
  if (foldCase(title).includes(foldedText)) return null;
  return beside.find(({ value }) => foldCase(value).includes(foldedText)) ?? null;
}

/** A hit with its sort keys. */
export interface RankedHit<Hit extends SearchHit = SearchHit> {
  readonly hit: Hit;
  readonly tier: MatchTier;
  readonly foldedTitle: string;
}

/** `foldedText` is the case-folded text searched for. */
export function rankHit<Hit extends SearchHit>(hit: Hit, foldedText: string): RankedHit<Hit> {
  const foldedTitle = foldCase(hit.title);
  return { hit, foldedTitle, tier: findMatchTier(foldedTitle, foldedText) };
}

/** By tier, then folded title in code point order, then id, so no two hits of a category tie. */
export function compareRankedHits(a: RankedHit, b: RankedHit): number {
  return (
    a.tier - b.tier ||
    compareCodePoints(a.foldedTitle, b.foldedTitle) ||
    (a.hit.id < b.hit.id ? -1 : a.hit.id > b.hit.id ? 1 : 0)
  );
}
