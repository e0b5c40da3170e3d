/** Every migration, in the order in which they run. A released migration never changes. */
import { Migration20261120Fleet } from './migration-20261120-fleet.ts';
import { Migration20261121AccountDeletion } from './migration-20261121-account-deletion.ts';
import { Migration20261121Mail } from './migration-20261121-mail.ts';
import { Migration20261121PendingLists } from './migration-20261121-pending-lists.ts';
import { Migration20261121Search } from './migration-20261121-search.ts';
import { Migration20261121Sessions } from './migration-20261121-sessions.ts';
import { Migration20261122AccountProtection } from './migration-20261122-account-protection.ts';
import { Migration20261122ApartBlocks } from './migration-20261122-apart-blocks.ts';
import { Migration20261122AuditMonths } from './migration-20261122-audit-months.ts';
import { Migration20261122BlockLists } from './migration-20261122-block-lists.ts';
import { Migration20261122BlocksInBulk } from './migration-20261122-blocks-in-bulk.ts';
import { Migration20261122BrowserSessions } from './migration-20261122-browser-sessions.ts';
import { Migration20261122CodesGuessed } from './migration-20261122-codes-guessed.ts';
import { Migration20261122DisplayNames } from './migration-20261122-display-names.ts';
import { Migration20261122EnrolmentKeys } from './migration-20261122-enrolment-keys.ts';
import { Migration20261122FewerKeys } from './migration-20261122-fewer-keys.ts';
import { Migration20261122FirstBlocks } from './migration-20261122-first-blocks.ts';
import { Migration20261122FlagIndexes } from './migration-20261122-flag-indexes.ts';
import { Migration20261122FleetLists } from './migration-20261122-fleet-lists.ts';
import { Migration20261122InitialLoad } from './migration-20261122-initial-load.ts';
import { Migration20261122MachineIdentity } from './migration-20261122-machine-identity.ts';
import { Migration20261122MailFiles } from './migration-20261122-mail-files.ts';
import { Migration20261122Maintenance } from './migration-20261122-maintenance.ts';
import { Migration20261122NamesInOrder } from './migration-20261122-names-in-order.ts';
import { Migration20261122NarrowRows } from './migration-20261122-narrow-rows.ts';
import { Migration20261122NoStatistics } from './migration-20261122-no-statistics.ts';
import { Migration20261122OpenRequests } from './migration-20261122-open-requests.ts';
import { Migration20261122OperatorResets } from './migration-20261122-operator-resets.ts';
import { Migration20261122OrganizationSoftware } from './migration-20261122-organization-software.ts';
import { Migration20261122OwnNetworks } from './migration-20261122-own-networks.ts';
import { Migration20261122OwnPasswords } from './migration-20261122-own-passwords.ts';
import { Migration20261122Patterns } from './migration-20261122-patterns.ts';
import { Migration20261122ScriptsOfPartners } from './migration-20261122-scripts-of-partners.ts';
import { Migration20261122SealingKeys } from './migration-20261122-sealing-keys.ts';
import { Migration20261122SearchBlocks } from './migration-20261122-search-blocks.ts';
import { Migration20261122SearchWindows } from './migration-20261122-search-windows.ts';
import { Migration20261122SimilarTitles } from './migration-20261122-similar-titles.ts';
import { Migration20261122SlidingLimits } from './migration-20261122-sliding-limits.ts';
import { Migration20261122StatesOfOrganizations } from './migration-20261122-states-of-organizations.ts';
import { Migration20261123LateBlocks } from './migration-20261123-late-blocks.ts';
import { Migration20261123SearchJoints } from './migration-20261123-search-joints.ts';
import { Migration20261123Versions } from './migration-20261123-versions.ts';
import { Migration20261124OrganizationTitles } from './migration-20261124-organization-titles.ts';

export const MIGRATIONS = [
  Migration20261120Fleet,
  Migration20261121Mail,
  Migration20261121Sessions,
  Migration20261121AccountDeletion,
  Migration20261121Search,
  Migration20261121PendingLists,
  Migration20261122AccountProtection,
  Migration20261122SlidingLimits,
  Migration20261122OwnNetworks,
  Migration20261122SealingKeys,
  Migration20261122OpenRequests,
  Migration20261122AuditMonths,
  Migration20261122NoStatistics,
  Migration20261122CodesGuessed,
  Migration20261122MailFiles,
  Migration20261122FleetLists,
  Migration20261122SimilarTitles,
  Migration20261122BrowserSessions,
  Migration20261122OwnPasswords,
  Migration20261122OrganizationSoftware,
  Migration20261122OperatorResets,
  Migration20261122EnrolmentKeys,
  Migration20261122MachineIdentity,
  Migration20261122Patterns,
  Migration20261122InitialLoad,
  Migration20261122Maintenance,
  Migration20261122DisplayNames,
  Migration20261122NarrowRows,
  Migration20261122SearchBlocks,
  Migration20261122BlocksInBulk,
  Migration20261122SearchWindows,
  Migration20261122FlagIndexes,
  Migration20261122NamesInOrder,
  Migration20261122StatesOfOrganizations,
  Migration20261122FirstBlocks,
  Migration20261122ScriptsOfPartners,
  Migration20261122FewerKeys,
  Migration20261122ApartBlocks,
  Migration20261122BlockLists,
  Migration20261123SearchJoints,
  Migration20261123LateBlocks,
  Migration20261123Versions,
  Migration20261124OrganizationTitles,
] as const;
