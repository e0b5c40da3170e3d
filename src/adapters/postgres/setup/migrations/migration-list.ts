import { MORE_ACTORS } from './2026-11-24-actors.ts';
import { ADDED_INNER_FILTERS } from './2026-11-24-added-inner-filters.ts';
import { QUESTIONS_OF_THE_WHOLE } from './2026-11-24-administrators.ts';
import { BULK_CHANGES } from './2026-11-24-bulk-changes.ts';
import { COPIES_OF_CONFIRMATIONS } from './2026-11-24-copies-of-confirmations.ts';
import { EDITS_OF_INNER_FILTERS } from './2026-11-24-edits-of-inner-filters.ts';
import { FEEDS_OF_PARTNERS } from './2026-11-24-feeds-of-partners.ts';
import { FILTER_VERSIONS } from './2026-11-24-filter-versions.ts';
import { FILTERS_IN_FILTERS } from './2026-11-24-filters-in-filters.ts';
import { FILTERS_OF_PARTNERS } from './2026-11-24-filters-of-partners.ts';
import { IDENTITY_PROVIDERS } from './2026-11-24-identity-providers.ts';
import { INVITATIONS } from './2026-11-24-invitations.ts';
import { KNOWN_BY_OTHERS } from './2026-11-24-known-by-others.ts';
import { KNOWN_KEYS } from './2026-11-24-known-keys.ts';
import { LIVE } from './2026-11-24-live.ts';
import { LIVE_NEWS } from './2026-11-24-live-news.ts';
import { MAILS_ABOUT_FILTERS } from './2026-11-24-mails-about-filters.ts';
import { NO_LATE_BLOCKS } from './2026-11-24-no-late-blocks.ts';
import { PASSKEYS } from './2026-11-24-passkeys.ts';
import { PRESENCE } from './2026-11-24-presence.ts';
import { REPORTS_OF_MACHINES } from './2026-11-24-reports.ts';
import { SETTINGS_OF_SUBSCRIPTIONS } from './2026-11-24-settings-of-subscriptions.ts';
import { SINCE_WHEN } from './2026-11-24-since-when.ts';
import { SUBSCRIPTIONS } from './2026-11-24-subscriptions.ts';
import { SUBSCRIPTIONS_OF_PARTNERS } from './2026-11-24-subscriptions-of-partners.ts';
import { TENANTS_IN_MAINTENANCE } from './2026-11-24-tenants-in-maintenance.ts';
import { TITLES_OF_ORGANIZATIONS } from './2026-11-24-titles.ts';
import { UNIQUE_NAMES } from './2026-11-24-unique-names.ts';
import { VERSIONS_OF_DEVICES } from './2026-11-24-versions.ts';
import { VERSIONS_OF_TITLES } from './2026-11-24-versions-of-titles.ts';
import { WEBHOOKS } from './2026-11-24-webhooks.ts';
import { REMINDERS } from './2026-11-28-reminders.ts';

/**
 * Every migration comes with the same change in `schema/`, which creates new databases. A released migration
 * never changes.
 */
export interface Migration {
  /** Day and subject, such as `2026-11-24 unique partner names`. */
  readonly name: string;
  /** Runs as the owner, in one transaction with all pending migrations. */
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  TITLES_OF_ORGANIZATIONS,
  NO_LATE_BLOCKS,
  BULK_CHANGES,
  MORE_ACTORS,
  REPORTS_OF_MACHINES,
  KNOWN_KEYS,
  PRESENCE,
  KNOWN_BY_OTHERS,
  COPIES_OF_CONFIRMATIONS,
  QUESTIONS_OF_THE_WHOLE,
  VERSIONS_OF_DEVICES,
  PASSKEYS,
  INVITATIONS,
  UNIQUE_NAMES,
  TENANTS_IN_MAINTENANCE,
  FILTERS_OF_PARTNERS,
  LIVE,
  IDENTITY_PROVIDERS,
  FILTER_VERSIONS,
  VERSIONS_OF_TITLES,
  SUBSCRIPTIONS,
  SINCE_WHEN,
  SETTINGS_OF_SUBSCRIPTIONS,
  MAILS_ABOUT_FILTERS,
  FEEDS_OF_PARTNERS,
  SUBSCRIPTIONS_OF_PARTNERS,
  FILTERS_IN_FILTERS,
  WEBHOOKS,
  LIVE_NEWS,
  EDITS_OF_INNER_FILTERS,
  ADDED_INNER_FILTERS,
  REMINDERS,
];
