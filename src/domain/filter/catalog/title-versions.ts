/**
 * `software[<title>].version` has the versions of one title. Any filter and export can name it (Contract: §10, §18).
 */
import { MAX_TITLE_LENGTH } from '#domain/limits.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';

/** `folded` is compared, so case does not matter. */
export interface NamedTitle {
  readonly kind: 'title';
  readonly name: string;
  readonly folded: string;
}

/** Null for other keys, and for names that no title can have. */
export function titleOfKey(key: string): NamedTitle | null {
  const name = /^software\[(.+)\]\.version$/su.exec(key)?.[1];
  if (name === undefined || unstorableReason(name) !== null) return null;
  return countCodePoints(name) > MAX_TITLE_LENGTH ? null : { kind: 'title', name, folded: foldCase(name) };
}

export function keyOfTitle(name: string): string {
  return `software[${name}].version`;
}
