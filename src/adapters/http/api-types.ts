/** The console imports types of the API from this file only, so its bundle contains no schemas. */
export type { AuditEntry } from './audit/audit-shapes.ts';
export type {
  AccountSession,
  AddedPasskey,
  ApiKey,
  CreatedApiKey,
  Enrollment,
  Passkey,
  RecoveryCodes,
  User,
} from './auth/auth-shapes.ts';
export type { FirstRun, Invitation } from './auth/link-shapes.ts';
export type { OwnProvider } from './auth/oidc-shapes.ts';
export type { CustomField } from './custom-fields/custom-field-shapes.ts';
export type { DeletionPage, DeletionRequest, PendingCount } from './deletion/deletion-shapes.ts';
export type {
  BulkChange,
  BulkOutcome,
  Device,
  DeviceChanges,
  DeviceFilters,
  DevicePage,
  DeviceRow,
  Duplicates,
  UndoOutcome,
} from './devices/device-shapes.ts';
export type {
  Completion,
  ExplainedNode,
  Explanation,
  FilterVersion,
  ListedField,
  ParsedText,
  SavedFilter,
} from './filters/filter-shapes.ts';
export type { Impact } from './filters/impact-shapes.ts';
export type {
  Alert,
  AlertDetails,
  Organization,
  Patch,
  Script,
  SearchItem,
  Site,
  Summary,
} from './fleet/fleet-shapes.ts';
export type { Partner } from './fleet/tenant-shapes.ts';
export type { Provider as IdentityProvider } from './identity-providers/provider-shapes.ts';
export type { CreatedEnrolmentKey, EnrolmentKey } from './inventory/inventory-shapes.ts';
export type {
  ChangeShape as MembershipChange,
  DeliveryShape as WebhookDelivery,
  MemberCountShape as MemberCount,
  SubscriptionShape as Subscription,
} from './live/live-shapes.ts';
export type { Person } from './people/people-shapes.ts';
