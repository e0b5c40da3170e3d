/** How many titles of software an organization may have, and how long their names may be (Contract: §13). */
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
  /** The bytes of their names, in UTF-8. */
  readonly nameBytes: number;
}

/** Which limit is exceeded. */
export type TitleLimit = 'too-many-titles' | 'too-many-title-bytes' | 'too-long-title';

/** Each as a sentence without its full stop. */
export const TITLE_LIMITS: Readonly<Record<TitleLimit, string>> = {
  'too-many-titles': `an organization has at most ${printed(MAX_TITLES_PER_ORGANIZATION)} titles of software, and this would exceed them`,
  'too-many-title-bytes': `the names of an organization's titles of software have at most ${printed(MAX_TITLE_BYTES_PER_ORGANIZATION)} bytes in all, and this would exceed them`,
  'too-long-title': `the name of a title of software has at most ${printed(MAX_TITLE_LENGTH)} characters`,
};

/** The limit that an organization with these titles exceeds; null if there is none. */
export function exceededTitleLimit({ titles, nameBytes }: TitleUsage): TitleLimit | null {
  if (titles > MAX_TITLES_PER_ORGANIZATION) return 'too-many-titles';
  return nameBytes > MAX_TITLE_BYTES_PER_ORGANIZATION ? 'too-many-title-bytes' : null;
}

/** The place of the first title whose name is too long; -1 if there is none. */
export function findTooLongTitle(software: readonly InstalledSoftware[]): number {
  // No name has more code points than UTF-16 code units, which need no counting.
  return software.findIndex(
    ({ name }) => name.length > MAX_TITLE_LENGTH && countCodePoints(name) > MAX_TITLE_LENGTH,
  );
}

function printed(count: number): string {
  return count.toLocaleString('en-US');
}
