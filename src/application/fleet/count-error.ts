/** Why counting was given up, as an error for the caller. */
import { type ApplicationError, CANCELLED } from '#application/application-error.ts';
import type { CountRefusal } from '#application/ports/fleet/fleet-counter.ts';

export function toCountError({ kind }: CountRefusal): ApplicationError {
  switch (kind) {
    case 'timeout':
      return {
        code: 'filter_timeout',
        detail: 'Counting took too long; name one organization with orgId, or try again later.',
      };
    case 'cancelled':
      return CANCELLED;
  }
}
