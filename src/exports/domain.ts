/**
 * `fleetsift/domain`: filters over devices, and the types that everything else uses. Pure and without dependencies;
 * runs on Node 20 and in browsers. Bundlers can drop unused parts.
 */
export * from '#domain/access/access-scope.ts';
export type * from '#domain/access/api-key.ts';
export type * from '#domain/access/attribution.ts';
export * from '#domain/access/caller.ts';
export type * from '#domain/access/enrolment-key.ts';
export * from '#domain/access/permission.ts';
export type * from '#domain/access/principal.ts';
export type * from '#domain/access/session.ts';
export type * from '#domain/access/sliding-window.ts';
export type * from '#domain/audit/audit-entry.ts';
export type * from '#domain/deletion/deletion-request.ts';
export * from '#domain/device/device.ts';
export type * from '#domain/device/device-row.ts';
export type * from '#domain/device/device-row.ts';
export * from '#domain/device/device-row.ts';
export * from '#domain/device/device-sort.ts';
export type * from '#domain/device/revise-device.ts';
export * from '#domain/device/title-quota.ts';
export type * from '#domain/export/export-column.ts';
export type * from '#domain/export/parse-export-fields.ts';
export type * from '#domain/export/print-export.ts';
export * from '#domain/filter/catalog/core-fields.ts';
export * from '#domain/filter/catalog/custom-field.ts';
export * from '#domain/filter/catalog/field-catalog.ts';
export * from '#domain/filter/catalog/operator.ts';
export * from '#domain/filter/catalog/operator-matrix.ts';
export * from '#domain/filter/conditions/condition.ts';
export * from '#domain/filter/conditions/filter-fault.ts';
export type * from '#domain/filter/conditions/fold-conditions.ts';
export * from '#domain/filter/conditions/fold-conditions.ts';
export * from '#domain/filter/conditions/fold-conditions.ts';
export * from '#domain/filter/conditions/parse-conditions.ts';
export * from '#domain/filter/conditions/predicate.ts';
export * from '#domain/filter/conditions/print-conditions.ts';
export * from '#domain/filter/conditions/simplify-conditions.ts';
export * from '#domain/filter/evaluate/compile-predicate.ts';
export * from '#domain/filter/evaluate/compile-predicate.ts';
export * from '#domain/filter/evaluate/compile-predicate.ts';
export type * from '#domain/filter/evaluate/read-field.ts';
export type * from '#domain/filter/evaluate/tally-nodes.ts';
export type * from '#domain/filter/filter-quota.ts';
export * from '#domain/filter/index/filter-index.ts';
export * from '#domain/filter/plain/compile-filter.ts';
export * from '#domain/filter/plain/compile-filter.ts';
export * from '#domain/filter/plain/compile-filter.ts';
export * from '#domain/filter/plain/read-plain-device.ts';
export { readPlainDevice } from '#domain/filter/plain/read-plain-device.ts';
export * from '#domain/filter/saved-filter.ts';
export * from '#domain/filter/text/complete/complete-filter-text.ts';
export type { CompletionItem } from '#domain/filter/text/complete/completion-items.ts';
export type { ConditionJson, LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';
export * from '#domain/filter/text/parse/parse-filter-text.ts';
export type { ResolveName } from '#domain/filter/text/parse/read-term.ts';
export * from '#domain/filter/text/print/format-conditions.ts';
export type * from '#domain/filter/text/text-fault.ts';
export * from '#domain/filter/values/ranges.ts';
export * from '#domain/filter/values/ranges.ts';
export * from '#domain/filter/values/relative-instants.ts';
export * from '#domain/filter/values/time-span.ts';
export type * from '#domain/fleet/fleet-lists.ts';
export type * from '#domain/fleet/fleet-record.ts';
export type * from '#domain/fleet/fleet-summary.ts';
export {
  type AccountNoticeId,
  type AlertId,
  type ApiKeyId,
  type AuditEntryId,
  type CustomFieldId,
  type DeletionRequestId,
  type DeviceId,
  type EnrolmentKeyId,
  type FilterId,
  type Id,
  isUuid,
  type MailId,
  type OrgId,
  type PartnerId,
  type PatchId,
  parseId,
  type ScriptId,
  type SessionId,
  type SiteId,
  type UserId,
} from '#domain/ids.ts';
export type * from '#domain/inventory/device-inventory.ts';
export type { AgentMessage } from '#domain/inventory/device-inventory.ts';
export type * from '#domain/inventory/find-machine.ts';
export type * from '#domain/inventory/machine-keys.ts';
export type * from '#domain/mail/queued-mail.ts';
export type * from '#domain/mail/render-mail.ts';
export * from '#domain/result.ts';
export type { SearchResultItem } from '#domain/search/rank-search.ts';
export type * from '#domain/search/search-hit.ts';
export type * from '#domain/search/search-hit.ts';
export type * from '#domain/search/search-hit.ts';
export type * from '#domain/search/search-hit.ts';
export type * from '#domain/search/similar-hit.ts';
export * from '#domain/steps.ts';
export * from '#domain/text/code-points.ts';
export * from '#domain/text/fold-case.ts';
export * from '#domain/time.ts';
