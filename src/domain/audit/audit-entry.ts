/** An entry never holds a password, token, code or secret (Spec: Events; Contract: §8). */
import type { Caller } from '#domain/access/caller.ts';
import type { AuditEntryId, OrgId, PartnerId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export type AuditResourceType =
  | 'filter'
  | 'account_deletion_request'
  | 'user'
  | 'api_key'
  | 'enrolment_key'
  | 'session'
  | 'organization'
  | 'partner'
  | 'site'
  | 'identity_provider'
  | 'fleet'
  | 'device'
  | 'alert'
  | 'custom_field'
  | 'subscription'
  | 'mail'
  | 'service';

/** Each action with the kind of its resource. */
export const RESOURCE_TYPES = {
  'filter.create': 'filter',
  'filter.update': 'filter',
  'filter.delete': 'filter',
  'filter.preview': 'filter',
  'filter.saved.preview': 'filter',
  'filter.explain': 'filter',
  'user.account_deletion.requested': 'account_deletion_request',
  'user.account_deletion.cancelled': 'account_deletion_request',
  'user.account_deletion.approved': 'account_deletion_request',
  'user.account_deletion.rejected': 'account_deletion_request',
  'user.account_deletion.completed': 'account_deletion_request',
  'auth.login': 'user',
  'auth.mfa.enrolled': 'user',
  'auth.mfa.challenge': 'user',
  'auth.mfa.recovery_codes': 'user',
  'auth.password.changed': 'user',
  'auth.passkey.added': 'user',
  'auth.passkey.removed': 'user',
  'auth.password.reset': 'user',
  // An entry without a resourceId means that all the user's other sessions were ended; details hold how many.
  'auth.session.ended': 'session',
  'auth.api_key.created': 'api_key',
  'auth.api_key.revoked': 'api_key',
  'enrolment_key.created': 'enrolment_key',
  'enrolment_key.revoked': 'enrolment_key',
  'device.enrolled': 'device',
  'device.update': 'device',
  // The resourceId names the operation; details hold the numbers of devices.
  'device.bulk_update': 'device',
  'device.bulk_undo': 'device',
  'alert.update': 'alert',
  'device.delete': 'device',
  // The resourceId is the device that stays; details hold id and name of the removed one.
  'device.merge': 'device',
  'custom_field.create': 'custom_field',
  'custom_field.update': 'custom_field',
  'custom_field.delete': 'custom_field',
  'subscription.created': 'subscription',
  'subscription.updated': 'subscription',
  'subscription.deleted': 'subscription',
  'user.created': 'user',
  'user.updated': 'user',
  'user.invited': 'user',
  'user.invitation_accepted': 'user',
  'user.invitation_revoked': 'user',
  'user.disabled': 'user',
  'user.enabled': 'user',
  'user.password_reset': 'user',
  'user.mfa_reset': 'user',
  'user.session_ended': 'user',
  'user.api_key_revoked': 'user',
  'organization.created': 'organization',
  'organization.updated': 'organization',
  'organization.deleted': 'organization',
  'partner.created': 'partner',
  'partner.updated': 'partner',
  'partner.maintenance_began': 'partner',
  'partner.maintenance_ended': 'partner',
  'partner.removed': 'partner',
  'site.created': 'site',
  'site.updated': 'site',
  'site.deleted': 'site',
  'identity_provider.created': 'identity_provider',
  'identity_provider.updated': 'identity_provider',
  'identity_provider.deleted': 'identity_provider',
  'fleet.load': 'fleet',
  'fleet.dump': 'fleet',
  'fleet.import': 'device',
  'device.export': 'device',
  'mail.retried': 'mail',
  'secrets.resealed': 'service',
  'backup_role.created': 'service',
  'audit.months_dropped': 'service',
} as const satisfies Readonly<Record<string, AuditResourceType>>;

export type AuditAction = keyof typeof RESOURCE_TYPES;

/** `system` is the service or its operator. */
export const ACTOR_TYPES = ['user', 'api_key', 'enrolment_key', 'identity_provider', 'system'] as const;

export type AuditActor =
  | { readonly type: Exclude<(typeof ACTOR_TYPES)[number], 'system'>; readonly id: string }
  | { readonly type: 'system'; readonly id: null };

export interface AuditEntry {
  readonly id: AuditEntryId;
  readonly at: EpochMs;
  readonly actor: AuditActor;
  /** Null if the action concerns several organizations or none. */
  readonly orgId: OrgId | null;
  /** The partner of the resource, otherwise the partner whose staff acted; null if there is neither. */
  readonly partnerId: PartnerId | null;
  readonly action: AuditAction;
  readonly result: 'success' | 'denied';
  readonly resourceType: AuditResourceType;
  readonly resourceId: string | null;
  /** Small facts, such as the names of changed fields; never a whole filter. */
  readonly details: Readonly<Record<string, AuditDetail>>;
  readonly requestId: string;
  readonly ip: string | null;
}

/** A value within `details`. */
export type AuditDetail = string | number | boolean | null | readonly string[];

/** The API key if the caller has one, otherwise the user. */
export function actorOf({ credential, userId }: Caller): AuditActor {
  return credential.kind === 'api-key'
    ? { type: 'api_key', id: credential.apiKeyId }
    : { type: 'user', id: userId };
}
