import type { DeletionRequest } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { Badge, type BadgeProps } from '#console/parts/display/badge.tsx';
import type { DeletionStatus } from '#domain/deletion/deletion-request.ts';

const LOOKS: Readonly<Record<DeletionStatus, Omit<BadgeProps, 'children'>>> = {
  pending: { tone: 'amber', mark: '◌' },
  processing: { tone: 'blue', mark: '◔' },
  completed: { mark: '⊘' },
  cancelled: { mark: '○' },
};

/** Where a request stands; one that an administrator cancelled was rejected. */
export function DeletionStatusBadge({
  request: { status, processedAt, overdue },
}: {
  readonly request: DeletionRequest;
}) {
  const { statuses, rejected, overdue: late } = words.administration.deletions;
  return (
    <>
      <Badge {...LOOKS[status]}>
        {status === 'cancelled' && processedAt !== null ? rejected : statuses[status]}
      </Badge>
      {overdue && (
        <>
          {' '}
          <Badge tone="red" mark="!">
            {late}
          </Badge>
        </>
      )}
    </>
  );
}
