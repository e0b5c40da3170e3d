/**
 * The types of bodies and answers for the console, which imports nothing else of this adapter. There are only types here,
 * so no shape becomes a part of the pages.
 */
export type { AuditEntry } from './audit/audit-shapes.ts';
export type {
  AccountSession,
  ApiKey,
  CreatedApiKey,
  Enrollment,
  RecoveryCodes,
  User,
} from './auth/auth-shapes.ts';
export type { CustomField } from './custom-fields/custom-field-shapes.ts';
export type { DeletionPage, DeletionRequest, PendingCount } from './deletion/deletion-shapes.ts';
export type { Device, DeviceChanges, DeviceFilters, DevicePage, DeviceRow } from './devices/device-shapes.ts';
export type {
  Completion,
  ExplainedNode,
  Explanation,
  ListedField,
  ParsedText,
  SavedFilter,
} from './filters/filter-shapes.ts';
export type { Alert, Organization, Patch, Script, SearchItem, Site, Summary } from './fleet/fleet-shapes.ts';
export type { CreatedEnrolmentKey, EnrolmentKey } from './inventory/inventory-shapes.ts';
