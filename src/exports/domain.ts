/** `fleetsift/domain`: pure code without dependencies, for Node 20 and browsers. */
export * from '#domain/access/access-scope.ts';
export type * from '#domain/access/account-link.ts';
export type * from '#domain/access/api-key.ts';
export * from '#domain/access/caller.ts';
export type * from '#domain/access/enrolment-key.ts';
export type * from '#domain/access/id-token.ts';
export type * from '#domain/access/identity-provider.ts';
export type * from '#domain/access/ownership.ts';
export type * from '#domain/access/passkey.ts';
export * from '#domain/access/permission.ts';
export type * from '#domain/access/principal.ts';
export type * from '#domain/access/session.ts';
export type * from '#domain/access/sliding-window.ts';
export type * from '#domain/audit/audit-entry.ts';
export type * from '#domain/deletion/deletion-request.ts';
export type { ReviewerCandidate } from '#domain/deletion/deletion-reviewers.ts';
export type { ChangedDevice, FieldValues } from '#domain/device/bulk-change.ts';
export {
  ARCHITECTURES,
  type Architecture,
  type CustomValue,
  DEVICE_ROLES,
  DEVICE_STATUSES,
  type Device,
  type DeviceFacts,
  type DeviceHardware,
  type DeviceMetrics,
  type DeviceRole,
  type DeviceStatus,
  type InstalledSoftware,
  isLasting,
  type NetworkInterface,
  NO_HARDWARE,
  NO_METRICS,
  OS_TYPES,
  type OsType,
  WATCHDOG_STATUSES,
  type WatchdogStatus,
} from '#domain/device/device.ts';
export type * from '#domain/device/device-row.ts';
export * from '#domain/device/device-sort.ts';
export type { DeviceMerge, MergeableDevice } from '#domain/device/merge-devices.ts';
export {
  type ChangeableDevice,
  type DeviceChange,
  type DeviceRevision,
  HAND_SET_STATUSES,
  reviseDevice,
} from '#domain/device/revise-device.ts';
export * from '#domain/device/title-quota.ts';
export {
  type ExportColumn,
  type ExportRow,
  type ExportValue,
  fieldColumn,
  type ListColumn,
  type ListColumnKey,
  OWN_COLUMN_KEYS,
  type OwnColumn,
  type OwnColumnKey,
  ownColumn,
  type ValueColumn,
} from '#domain/export/export-column.ts';
export type * from '#domain/export/parse-export-fields.ts';
export * from '#domain/export/print-export.ts';
export * from '#domain/filter/catalog/core-fields.ts';
export {
  type CustomField,
  type CustomFieldDefinition,
  type CustomFieldVariant,
  definitionsIn,
  FIELD_TYPE_OF_CUSTOM,
  isFieldKey,
  type ResolvedCustomField,
  readCustomValue,
  resolveCustomFields,
} from '#domain/filter/catalog/custom-field.ts';
export * from '#domain/filter/catalog/field-catalog.ts';
export * from '#domain/filter/catalog/operator.ts';
export * from '#domain/filter/catalog/operator-matrix.ts';
export * from '#domain/filter/conditions/condition.ts';
export * from '#domain/filter/conditions/filter-fault.ts';
export type * from '#domain/filter/conditions/fold-conditions.ts';
export * from '#domain/filter/conditions/parse-conditions.ts';
export * from '#domain/filter/conditions/predicate.ts';
export * from '#domain/filter/conditions/print-conditions.ts';
export * from '#domain/filter/conditions/simplify-conditions.ts';
export * from '#domain/filter/evaluate/compile-predicate.ts';
export {
  type ActualValue,
  MAX_ACTUAL_VALUES,
  readActual,
  toActual,
} from '#domain/filter/evaluate/read-field.ts';
export type * from '#domain/filter/evaluate/tally-nodes.ts';
export type { FilterLink } from '#domain/filter/filter-links.ts';
export type * from '#domain/filter/filter-quota.ts';
export { FilterIndex } from '#domain/filter/index/filter-index.ts';
export * from '#domain/filter/plain/compile-filter.ts';
export {
  type PlainDevice,
  type PlainInstant,
  readPlainDevice,
} from '#domain/filter/plain/read-plain-device.ts';
export * from '#domain/filter/saved-filter.ts';
export * from '#domain/filter/text/complete/complete-filter-text.ts';
export type { CompletionItem } from '#domain/filter/text/complete/completion-items.ts';
export type { ConditionJson, LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';
export * from '#domain/filter/text/parse/parse-filter-text.ts';
export type { ResolveName } from '#domain/filter/text/parse/read-term.ts';
export * from '#domain/filter/text/print/format-conditions.ts';
export type { Place, ReportFault, TextFault, TextFaultCode } from '#domain/filter/text/text-fault.ts';
export * from '#domain/filter/values/ranges.ts';
export {
  isRelativePredicate,
  type RelativePredicate,
  rangesAt,
} from '#domain/filter/values/relative-instants.ts';
export * from '#domain/filter/values/time-span.ts';
export type * from '#domain/fleet/fleet-lists.ts';
export * from '#domain/fleet/fleet-record.ts';
export type * from '#domain/fleet/fleet-summary.ts';
export * from '#domain/ids.ts';
export {
  type AgentMessage,
  type DeviceInventory,
  type InventoriedFields,
  type InventorySource,
  ONLINE_WITHIN_MS,
  type PartialFields,
  type ReportedIdentity,
  stateAfter,
  statusFromInventory,
} from '#domain/inventory/device-inventory.ts';
export type { KeyedDevice } from '#domain/inventory/find-duplicates.ts';
export type * from '#domain/inventory/find-machine.ts';
export { type MachineKeys, type MachineNameplate, machineKeys } from '#domain/inventory/machine-keys.ts';
export {
  type AgentSigns,
  type Audible,
  type Hearing,
  hearAt,
  isInventoryDue,
  type Sign,
  signsAfter,
} from '#domain/inventory/presence.ts';
export {
  type AccountNotice,
  type FilterFacts,
  MAIL_KINDS,
  type MailFacts,
  type MailKind,
  type MailOccasionId,
  type MailRecipient,
  outlivesAccount,
  type QueuedMail,
  subjectOf,
} from '#domain/mail/queued-mail.ts';
export type * from '#domain/mail/render-mail.ts';
export type { ChangeDigest, Crossing, Line, ToldDevices } from '#domain/membership/change-digest.ts';
export type * from '#domain/membership/membership-change.ts';
export type * from '#domain/membership/subscription.ts';
export type * from '#domain/membership/webhook-delivery.ts';
export * from '#domain/result.ts';
export type { SearchResultItem } from '#domain/search/rank-search.ts';
export {
  compareRankedHits,
  findMatch,
  findMatchTier,
  LETTER_OR_DIGIT,
  MATCH_TIERS,
  type MatchTier,
  type RankedHit,
  rankHit,
  SEARCH_CATEGORIES,
  type SearchCategory,
  type SearchedAlert,
  type SearchedDevice,
  type SearchedField,
  type SearchedScript,
  type SearchHit,
  STORED_CATEGORIES,
  type StoredCategory,
  textsOfAlert,
  textsOfDevice,
  textsOfScript,
  toAlertHit,
  toDeviceHit,
  toScriptHit,
} from '#domain/search/search-hit.ts';
export {
  canBeApproximate,
  compareSimilarHits,
  makeRankSimilar,
  type SimilarHit,
} from '#domain/search/similar-hit.ts';
export * from '#domain/steps.ts';
export { compareCodePoints } from '#domain/text/code-points.ts';
export { foldCase, sortedName } from '#domain/text/fold-case.ts';
export * from '#domain/time.ts';
