/**
 * A UUID in canonical form (lower case, hyphens). The brand is a string key because a package's declarations cannot
 * name a symbol of another file.
 */
export type Id<K extends string> = string & { readonly '~idOf': K };

export type PartnerId = Id<'partner'>;
export type OrgId = Id<'organization'>;
export type SiteId = Id<'site'>;
export type UserId = Id<'user'>;
export type SessionId = Id<'session'>;
export type PasskeyId = Id<'passkey'>;
export type IdentityProviderId = Id<'identity-provider'>;
export type ApiKeyId = Id<'api-key'>;
export type EnrolmentKeyId = Id<'enrolment-key'>;
export type CustomFieldId = Id<'custom-field'>;
export type DeviceId = Id<'device'>;
export type PatchId = Id<'patch'>;
export type ScriptId = Id<'script'>;
export type AlertId = Id<'alert'>;
export type FilterId = Id<'filter'>;
export type SubscriptionId = Id<'subscription'>;
export type DeliveryId = Id<'delivery'>;
export type BulkChangeId = Id<'bulk-change'>;
export type DeletionRequestId = Id<'deletion-request'>;
export type AccountNoticeId = Id<'account-notice'>;
export type MailId = Id<'mail'>;
export type AuditEntryId = Id<'audit-entry'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Accepts any version, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Null if it is not a UUID. */
export function parseId<K extends string>(value: unknown): Id<K> | null {
  return typeof value === 'string' && isUuid(value) ? (value.toLowerCase() as Id<K>) : null;
}
