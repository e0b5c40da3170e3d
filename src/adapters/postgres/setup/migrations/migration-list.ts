import { NO_LATE_BLOCKS } from './2026-11-24-no-late-blocks.ts';
import { TITLES_OF_ORGANIZATIONS } from './2026-11-24-titles.ts';

/**
 * The changes of the schema since the baseline, in the order in which they run. Each comes with the same change to the
 * files in `schema/`, from which new databases are made. A released migration never changes.
 */
export interface Migration {
  /** As it is recorded: the day and the subject, such as `2026-11-24 unique partner names`. */
  readonly name: string;
  /** Statements, which run as the owner in one transaction with all others that are pending. */
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [TITLES_OF_ORGANIZATIONS, NO_LATE_BLOCKS];
