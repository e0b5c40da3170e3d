/**
 * `fleetsift/domain`: filters over devices, and the words that everything else is said in. Pure, without a dependency;
 * runs on Node 20 and in browsers, and a bundler keeps what is used.
 */
export * from '#domain/access/access-scope.ts';
export * from '#domain/access/caller.ts';
export * from '#domain/access/permission.ts';
export type * from '#domain/access/session.ts';
export type * from '#domain/audit/audit-entry.ts';
export type * from '#domain/deletion/deletion-request.ts';
export * from '#domain/device/device.ts';
export type * from '#domain/device/device-details.ts';
export type * from '#domain/device/device-row.ts';
export * from '#domain/device/device-sort.ts';
export * from '#domain/device/preview-device.ts';
export type * from '#domain/export/export-column.ts';
export * from '#domain/filter/catalog/core-fields.ts';
export * from '#domain/filter/catalog/custom-field.ts';
export * from '#domain/filter/catalog/field-catalog.ts';
export * from '#domain/filter/catalog/operator.ts';
export * from '#domain/filter/catalog/operator-matrix.ts';
export * from '#domain/filter/conditions/condition.ts';
export * from '#domain/filter/conditions/fields-used.ts';
export * from '#domain/filter/conditions/filter-fault.ts';
export * from '#domain/filter/conditions/fold-conditions.ts';
export * from '#domain/filter/conditions/locate-patterns.ts';
export * from '#domain/filter/conditions/parse-conditions.ts';
export * from '#domain/filter/conditions/predicate.ts';
export * from '#domain/filter/conditions/print-conditions.ts';
export * from '#domain/filter/conditions/simplify-conditions.ts';
export * from '#domain/filter/evaluate/compile-predicate.ts';
export * from '#domain/filter/evaluate/device-predicate.ts';
export * from '#domain/filter/evaluate/translate-pattern.ts';
export * from '#domain/filter/index/filter-index.ts';
export * from '#domain/filter/plain/compile-filter.ts';
export * from '#domain/filter/plain/index-filters.ts';
export * from '#domain/filter/plain/plain-catalog.ts';
export * from '#domain/filter/plain/plain-device.ts';
export { readPlainDevice } from '#domain/filter/plain/read-plain-device.ts';
export * from '#domain/filter/saved-filter.ts';
export * from '#domain/filter/text/complete/complete-filter-text.ts';
export * from '#domain/filter/text/parse/parse-filter-text.ts';
export * from '#domain/filter/text/print/format-conditions.ts';
export * from '#domain/filter/values/instant-range.ts';
export * from '#domain/filter/values/number-range.ts';
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
export type * from '#domain/mail/queued-mail.ts';
export type * from '#domain/mail/render-mail.ts';
export * from '#domain/result.ts';
export type * from '#domain/search/search-category.ts';
export type * from '#domain/search/search-hit.ts';
export * from '#domain/text/compare-code-points.ts';
export * from '#domain/text/fold-case.ts';
export * from '#domain/time.ts';
