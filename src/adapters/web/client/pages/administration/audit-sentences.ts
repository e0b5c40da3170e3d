import type { AuditEntry } from '#adapters/http/api-types.ts';
import { formatCount } from '#console/parts/display/format.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';

interface ActionWords {
  /** After the actor: "Mara Ellingsen changed …". */
  readonly did: string;
  /** Follows "tried to", and begins the titles in the list of actions. */
  readonly to: string;
  /** Such as "the filter". The resource's name follows if there is one. */
  readonly what: string;
}

const words = (did: string, to: string, what = ''): ActionWords => ({ did, to, what });

export const ACTION_WORDS: Readonly<Record<AuditAction, ActionWords>> = {
  'filter.create': words('created', 'create', 'the filter'),
  'filter.update': words('changed', 'change', 'the filter'),
  'filter.delete': words('deleted', 'delete', 'the filter'),
  'filter.preview': words('previewed', 'preview', 'conditions'),
  'filter.saved.preview': words('previewed', 'preview', 'the filter'),
  'filter.explain': words('asked for an explanation of', 'explain', 'the filter'),
  'user.account_deletion.requested': words('requested', 'request', 'the deletion of their account'),
  'user.account_deletion.cancelled': words('cancelled', 'cancel', 'the deletion request of'),
  'user.account_deletion.approved': words('approved', 'approve', 'the deletion request of'),
  'user.account_deletion.rejected': words('rejected', 'reject', 'the deletion request of'),
  'user.account_deletion.completed': words('erased', 'erase', 'an account'),
  'auth.login': words('signed in', 'sign in'),
  'auth.mfa.enrolled': words('set up', 'set up', 'a second factor'),
  'auth.mfa.challenge': words('confirmed', 'confirm', 'their second factor'),
  'auth.mfa.recovery_codes': words('renewed', 'renew', 'their recovery codes'),
  'auth.password.changed': words('changed', 'change', 'their password'),
  'auth.passkey.added': words('added', 'add', 'a passkey'),
  'auth.passkey.removed': words('removed', 'remove', 'a passkey'),
  'auth.password.reset': words('replaced', 'replace', 'their lost password'),
  'auth.session.ended': words('ended', 'end', 'a session'),
  'auth.api_key.created': words('created', 'create', 'the API key'),
  'auth.api_key.revoked': words('revoked', 'revoke', 'the API key'),
  'enrolment_key.created': words('created', 'create', 'the enrolment key'),
  'enrolment_key.revoked': words('revoked', 'revoke', 'the enrolment key'),
  'device.enrolled': words('enrolled', 'enrol', 'the device'),
  'device.update': words('changed', 'change', 'the device'),
  'device.bulk_update': words('changed', 'change', 'many devices'),
  'device.bulk_undo': words('undid', 'undo', 'a change of many devices'),
  'alert.update': words('changed', 'change', 'the alert'),
  'device.delete': words('deleted', 'delete', 'the device'),
  'device.merge': words('merged another device into', 'merge another device into', 'the device'),
  'custom_field.create': words('defined', 'define', 'the custom field'),
  'custom_field.update': words('changed', 'change', 'the custom field'),
  'custom_field.delete': words('deleted', 'delete', 'the custom field'),
  'subscription.created': words('made', 'make', 'the subscription'),
  'subscription.updated': words('changed', 'change', 'the subscription'),
  'subscription.deleted': words('deleted', 'delete', 'the subscription'),
  'user.created': words('added', 'add', 'the person'),
  'user.invited': words('invited', 'invite', 'the person'),
  'user.invitation_accepted': words('accepted', 'accept', 'their invitation'),
  'user.invitation_revoked': words('withdrew', 'withdraw', 'the invitation of'),
  'user.updated': words('changed', 'change', 'the account of'),
  'user.disabled': words('disabled', 'disable', 'the account of'),
  'user.enabled': words('enabled', 'enable', 'the account of'),
  'user.password_reset': words('reset', 'reset', 'the password of'),
  'user.mfa_reset': words('reset', 'reset', 'the second factor of'),
  'user.session_ended': words('ended', 'end', 'sessions of'),
  'user.api_key_revoked': words('revoked', 'revoke', 'an API key of'),
  'organization.created': words('created', 'create', 'the organization'),
  'organization.updated': words('changed', 'change', 'the organization'),
  'organization.deleted': words('deleted', 'delete', 'the organization'),
  'partner.created': words('created', 'create', 'the partner'),
  'partner.updated': words('changed', 'change', 'the partner'),
  'partner.maintenance_began': words('began', 'begin', 'maintenance of the partner'),
  'partner.maintenance_ended': words('ended', 'end', 'maintenance of the partner'),
  'partner.removed': words('removed', 'remove', 'a partner'),
  'site.created': words('created', 'create', 'the site'),
  'site.updated': words('changed', 'change', 'the site'),
  'site.deleted': words('deleted', 'delete', 'the site'),
  'identity_provider.created': words('set up', 'set up', 'the identity provider'),
  'identity_provider.updated': words('changed', 'change', 'the identity provider'),
  'identity_provider.deleted': words('deleted', 'delete', 'the identity provider'),
  'fleet.load': words('loaded', 'load', 'a fleet'),
  'fleet.dump': words('dumped', 'dump', 'a fleet'),
  'fleet.import': words('imported', 'import', 'the device'),
  'device.export': words('exported', 'export', 'devices'),
  'mail.retried': words('retried', 'retry', 'failed mails'),
  'secrets.resealed': words('resealed', 'reseal', 'secrets'),
  'backup_role.created': words('created', 'create', 'the backup role'),
  'audit.months_dropped': words('dropped', 'drop', 'old months of the audit log'),
};

/** Actions on the actor's own account. Naming it as the resource would repeat the actor's name. */
const ABOUT_ONESELF: ReadonlySet<AuditAction> = new Set([
  'auth.login',
  'auth.mfa.enrolled',
  'auth.mfa.challenge',
  'auth.mfa.recovery_codes',
  'auth.password.changed',
  'auth.passkey.added',
  'auth.passkey.removed',
  'auth.password.reset',
  'user.invitation_accepted',
  'user.account_deletion.requested',
]);

const NUMBERS: Readonly<Partial<Record<AuditAction, string>>> = {
  'device.bulk_update': 'changed',
  'device.bulk_undo': 'restored',
};

const STATUS_CHANGES: Readonly<Record<string, string>> = {
  active: 'reopened',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
};

/** Requests that run for a while. They may also end early without being refused. */
const RUNS: ReadonlySet<AuditAction> = new Set([
  'filter.preview',
  'filter.saved.preview',
  'filter.explain',
  'device.export',
]);

const ENDED_EARLY: ReadonlySet<unknown> = new Set([
  'timeout',
  'cancelled',
  'too_slow',
  'failed',
  'invalid-pattern',
]);

/** The service records a request that did not finish as denied, with the reason. */
export function outcomeOf({ action, result, details }: AuditEntry): AuditEntry['result'] | 'unfinished' {
  return result === 'denied' && RUNS.has(action) && ENDED_EARLY.has(details.reason) ? 'unfinished' : result;
}

export interface Sentence {
  readonly actor: string;
  /** Such as "changed the filter". */
  readonly did: string;
  readonly resource: string | null;
}

export function sentenceOf(entry: AuditEntry): Sentence {
  const { action, details } = entry;
  const resource = resourceOf(entry);
  const { did, to, what } = action === 'device.merge' ? mergeWords(details, resource) : ACTION_WORDS[action];
  const number = details[NUMBERS[action] ?? ''];
  const thing =
    typeof number === 'number' ? what.replace('many devices', formatCount(number, 'device')) : what;
  const changed = action === 'alert.update' ? STATUS_CHANGES[String(details.status)] : undefined;
  const verb = {
    success: changed ?? did,
    denied: `tried to ${to}`,
    unfinished: `began to ${to}`,
  }[outcomeOf(entry)];
  return { actor: actorOf(entry), did: `${verb} ${thing}`.trim(), resource };
}

/** The details name the device that is gone; the resource is the one that stayed. */
function mergeWords({ name }: AuditEntry['details'], resource: string | null): ActionWords {
  const gone = typeof name === 'string' ? name : 'another device';
  return words(`merged ${gone} into`, `merge ${gone} into`, resource === null ? 'a device' : 'the device');
}

function actorOf({ action, actor: { type, name }, details }: AuditEntry): string {
  switch (type) {
    case 'user':
      return name ?? 'Someone';
    case 'api_key':
      return name === null ? 'An API key' : `The API key ${name}`;
    case 'enrolment_key':
      return name === null ? 'An enrolment key' : `The enrolment key ${name}`;
    case 'identity_provider':
      return name === null ? 'An identity provider' : `The identity provider ${name}`;
    case 'system':
      if (action === 'auth.login') return 'Someone';
      return details.command === undefined ? 'Fleetsift' : 'An operator';
  }
}

function resourceOf({ action, actor, resourceId, resourceName, details }: AuditEntry): string | null {
  if (ABOUT_ONESELF.has(action) && (resourceId === actor.id || resourceName === actor.name)) return null;
  if (action === 'device.merge') return resourceName;
  // A deleted resource has its name only in the details.
  return resourceName ?? (typeof details.name === 'string' ? details.name : null);
}

/** Such as "Change the filter". */
export function titleOfAction(action: AuditAction): string {
  const { to, what } = ACTION_WORDS[action];
  const title = `${to} ${what}`.replace(/ of$/, '').trim();
  return title.charAt(0).toUpperCase() + title.slice(1);
}
