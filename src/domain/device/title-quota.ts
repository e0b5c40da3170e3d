/** Limits of an organization's software titles (Contract: §13). */
import {
  MAX_TITLE_BYTES_PER_ORGANIZATION,
  MAX_TITLE_LENGTH,
  MAX_TITLES_PER_ORGANIZATION,
} from '#domain/limits.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import type { InstalledSoftware } from './device.ts';

/** The titles that an organization has, each name once. */
export interface TitleUsage {
  readonly titles: number;
  /** UTF-8. */
  readonly nameBytes: number;
}

/** Which limit is exceeded. */
export type TitleLimit = 'too-many-titles' | 'too-many-title-bytes' | 'too-long-title';

/** Sentences without a full stop. */
export const TITLE_LIMITS: Readonly<Record<TitleLimit, string>> = {
  'too-many-titles': `an organization has at most ${printed(MAX_TITLES_PER_ORGANIZATION)} titles of software, and this would exceed them`,
  'too-many-title-bytes': `the names of an organization's titles of software have at most ${printed(MAX_TITLE_BYTES_PER_ORGANIZATION)} bytes in all, and this would exceed them`,
  'too-long-title': `the name of a title of software has at most ${printed(MAX_TITLE_LENGTH)} characters`,
};

/** Null if none is exceeded. */
export function exceededTitleLimit({ titles, nameBytes }: TitleUsage): TitleLimit | null {
  if (titles > MAX_TITLES_PER_ORGANIZATION) return 'too-many-titles';
  return nameBytes > MAX_TITLE_BYTES_PER_ORGANIZATION ? 'too-many-title-bytes' : null;
}

/** The index of the first name that is too long, or -1. */
export function findTooLongTitle(software: readonly InstalledSoftware[]): number {
  // A name never has more code points than UTF-16 code units, so few are counted.
  return software.findIndex(
    ({ name }) => name.length > MAX_TITLE_LENGTH && countCodePoints(name) > MAX_TITLE_LENGTH,
  );
}

function printed(count: number): string {
  return count.toLocaleString('en-US');
}
