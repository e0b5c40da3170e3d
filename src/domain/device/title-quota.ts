/** Limits of an organization's software titles (Contract: §13). */
import {
  MAX_TITLE_BYTES_PER_ORGANIZATION,
  MAX_TITLE_LENGTH,
  MAX_TITLES_PER_ORGANIZATION,
  MAX_VERSIONS_PER_ORGANIZATION,
} from '#domain/limits.ts';
import { countCodePoints, utf8Length } from '#domain/text/code-points.ts';
import type { InstalledSoftware } from './device.ts';

/** What an organization's titles take up. A title on several devices counts once. */
export interface TitleUsage {
  readonly titles: number;
  readonly versions: number;
  /** All names and versions in UTF-8. */
  readonly bytes: number;
}

/** The exceeded limit. */
export type TitleLimit = 'too-many-titles' | 'too-many-versions' | 'too-many-title-bytes' | 'too-long-title';

/** Messages: sentences without a full stop. */
export const TITLE_LIMITS: Readonly<Record<TitleLimit, string>> = {
  'too-many-titles': `an organization has at most ${printed(MAX_TITLES_PER_ORGANIZATION)} titles of software, and this would exceed them`,
  'too-many-versions': `an organization has at most ${printed(MAX_VERSIONS_PER_ORGANIZATION)} versions of titles of software, and this would exceed them`,
  'too-many-title-bytes': `the names and versions of an organization's titles of software have at most ${printed(MAX_TITLE_BYTES_PER_ORGANIZATION)} bytes in all, and this would exceed them`,
  'too-long-title': `the name of a title of software has at most ${printed(MAX_TITLE_LENGTH)} characters`,
};

/** The first exceeded limit; null if there is none. */
export function exceededTitleLimit({ titles, versions, bytes }: TitleUsage): TitleLimit | null {
  if (titles > MAX_TITLES_PER_ORGANIZATION) return 'too-many-titles';
  if (versions > MAX_VERSIONS_PER_ORGANIZATION) return 'too-many-versions';
  return bytes > MAX_TITLE_BYTES_PER_ORGANIZATION ? 'too-many-title-bytes' : null;
}

/** `entries` are from `softwareEntries`; `by` adds them (1) or removes them (-1). */
export function changeUsage(usage: TitleUsage, entries: Iterable<InstalledSoftware>, by: 1 | -1): TitleUsage {
  let { titles, versions, bytes } = usage;
  for (const { name, version } of entries) {
    if (version === null) titles += by;
    else versions += by;
    bytes += by * utf8Length(version ?? name);
  }
  return { titles, versions, bytes };
}

/** The index of the first too long name; -1 if there is none. */
export function findTooLongTitle(software: readonly InstalledSoftware[]): number {
  // A string has at most as many code points as code units, so short names need no count.
  return software.findIndex(
    ({ name }) => name.length > MAX_TITLE_LENGTH && countCodePoints(name) > MAX_TITLE_LENGTH,
  );
}

function printed(count: number): string {
  return count.toLocaleString('en-US');
}
