/** What is written down of every action, and never a password, token, code or secret (Spec: Events; Contract: §8). */
import type { Caller } from '#domain/access/caller.ts';
import type { AuditEntryId, OrgId, PartnerId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** What the actions are about. */
export type AuditResourceType = 'filter' | 'account_deletion_request' | 'user' | 'api_key';

/** Every action, and what it is about. */
export const RESOURCE_TYPES = {
  'filter.create': 'filter',
  'filter.update': 'filter',
  'filter.delete': 'filter',
  'filter.preview': 'filter',
  'filter.saved.preview': 'filter',
  'user.account_deletion.requested': 'account_deletion_request',
  'user.account_deletion.cancelled': 'account_deletion_request',
  'user.account_deletion.approved': 'account_deletion_request',
  'user.account_deletion.rejected': 'account_deletion_request',
  'user.account_deletion.completed': 'account_deletion_request',
  'auth.login': 'user',
  'auth.mfa.enrolled': 'user',
  'auth.mfa.challenge': 'user',
  'auth.api_key.created': 'api_key',
  'auth.api_key.revoked': 'api_key',
} as const satisfies Readonly<Record<string, AuditResourceType>>;

export type AuditAction = keyof typeof RESOURCE_TYPES;

export type AuditActor =
  | { readonly type: 'user'; readonly id: string }
  | { readonly type: 'api_key'; readonly id: string }
  | { readonly type: 'system'; readonly id: null };

export interface AuditEntry {
  readonly id: AuditEntryId;
  readonly at: EpochMs;
  readonly actor: AuditActor;
  /** The organization that the action touched; null where it touched several or none. */
  readonly orgId: OrgId | null;
  /** The partner whose staff acted beyond one organization; null for organization and system callers. */
  readonly partnerId: PartnerId | null;
  readonly action: AuditAction;
  readonly result: 'success' | 'denied';
  readonly resourceType: AuditResourceType;
  readonly resourceId: string | null;
  /** Small facts, e.g. the names of changed fields; never the filter tree. */
  readonly details: Readonly<Record<string, AuditDetail>>;
  readonly requestId: string;
  /** The client's address. */
  readonly ip: string | null;
}

export type AuditDetail = string | number | boolean | null | readonly string[];

/** The actor that a caller is on record as. */
export function actorOf({ credential, userId }: Caller): AuditActor {
  return credential.kind === 'api-key'
    ? { type: 'api_key', id: credential.apiKeyId }
    : { type: 'user', id: userId };
}
