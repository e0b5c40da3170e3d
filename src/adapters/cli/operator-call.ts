/** Calls of use cases by the operator, and their refusals in the words of the command line. */
import type { ApplicationError, FieldError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { markPlace } from './terminal/format-text.ts';

/** The user id is a dummy, because the operator's audit entries name the command instead. */
export function operatorCall({ newId }: Pick<CliRuntime, 'newId'>, signal?: AbortSignal): Call {
  return {
    requestId: newId(),
    ip: null,
    ...(signal !== undefined && { signal }),
    caller: {
      userId: newId<'user'>(),
      credential: { kind: 'api-key', apiKeyId: newId<'api-key'>() },
      scope: SYSTEM_SCOPE,
      permissions: new Set([DEVICES_WRITE]),
      isPlatformAdmin: true,
    },
  };
}

/** Names the option of each fault (by the beginning of its path), and marks the place in the query. */
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
