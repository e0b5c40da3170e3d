/** How the operator's commands call use cases. */
import type { ApplicationError, FieldError } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import type { AccountSummary } from '#application/ports/auth/stores/account-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { err } from '#domain/result.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { systemEntry } from './system-entry.ts';
import { markPlace } from './terminal/format-text.ts';

/** The caller is a dummy user. Audit entries of the operator name the command instead. */
export function operatorCall({ newId }: Pick<CliRuntime, 'newId'>, signal?: AbortSignal): Call {
  return {
    requestId: newId(),
    ip: null,
    ...(signal !== undefined && { signal }),
    caller: {
      userId: newId<'user'>(),
      credential: { kind: 'api-key', apiKeyId: newId<'api-key'>() },
      scope: SYSTEM_SCOPE,
      permissions: new Set(ADMINISTRATOR_PERMISSIONS),
      isPlatformAdmin: true,
    },
  };
}

/** The operator also gets this person's permissions, because nobody can change a person who has more rights. */
export function operatorAbove(
  runtime: CliRuntime,
  { permissions }: Pick<AccountSummary, 'permissions'>,
): Call {
  const { caller, ...call } = operatorCall(runtime);
  return { ...call, caller: { ...caller, permissions: caller.permissions.union(new Set(permissions)) } };
}

interface OperatorDeps extends Pick<CliRuntime, 'clock' | 'newId'> {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
}

/** The operator needs no second factor. `command` is the command's name as typed. */
export function operatorDeps({ clock, newId }: CliRuntime, command: string): OperatorDeps {
  return {
    ...{ clock, newId },
    requireFreshMfa: () => null,
    makeEntry: (_call, facts) => systemEntry({ clock, newId }, { ...facts, command }),
    deny: async (_call, _attempt, error) => err(error),
  };
}

/** Names each fault by its option, and marks its place in the query. */
export function explainError(
  error: ApplicationError,
  options: Readonly<Record<string, string>>,
  query = '',
): string {
  if (!('errors' in error)) return error.detail;
  return error.errors.map((fault) => explainFault(fault, options, query)).join('\n');
}

function explainFault(
  { path, message, start, end }: FieldError,
  options: Readonly<Record<string, string>>,
  query: string,
): string {
  const [member = '', inner = ''] = path.split(/[.[]/);
  const named = `${options[`${member}.${inner}`] ?? options[member] ?? member}: ${message}`;
  if (start !== undefined && end !== undefined) return `${named}\n${markPlace(query, start, end)}`;
  return path.startsWith('conditions.') ? `${named}\n  at ${path}` : named;
}
