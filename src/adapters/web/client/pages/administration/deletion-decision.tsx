import { Link } from '@tanstack/react-router';
import type { DeletionRequest } from '#adapters/http/api-types.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { type Fact, Facts } from '#console/pages/facts.tsx';
import { Badge, type BadgeProps } from '#console/parts/display/badge.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import type { DeletionStatus } from '#domain/deletion/deletion-request.ts';
import styles from './deletion-request-page.module.css';

const said = words.administration.deletions;

export function DeletionDecision({ request }: { readonly request: DeletionRequest }) {
  const user = useUser();
  const { id, status, processedAt, processedBy, decider, processBy, adminNote } = request;
  if (processedAt === null) {
    return (
      <TitledCard title={said.statuses.cancelled}>
        <p>{said.withdrawn}</p>
      </TitledCard>
    );
  }
  // A request approved after `processBy` is carried out at once.
  const erasedAt = processedAt > processBy ? processedAt : processBy;
  const erasure: Fact =
    status === 'completed'
      ? [said.erasedOn, <Time key="erased" at={request.updatedAt} as="dateTime" />]
      : [said.willBeErasedOn, <Time key="erased" at={erasedAt} as="dateTime" />];
  const note: Fact = [
    said.noteToUser,
    <span key="note" className={styles.text}>
      {adminNote}
    </span>,
  ];
  return (
    <TitledCard title={said.decision}>
      <p>
        <strong>{said.outcomes[status]}</strong>
      </p>
      <Facts
        rows={[
          [said.decidedBy, processedBy === user.id ? said.you : (decider?.name ?? said.otherAdministrator)],
          [said.decidedAt, <Time key="decided" at={processedAt} as="dateTime" />],
          ...(status === 'cancelled' ? [] : [erasure]),
          ...(adminNote === null ? [] : [note]),
        ]}
      />
      <p>
        <Link to="/admin/audit-log" search={{ resourceId: id }}>
          {said.seeInLog}
        </Link>
      </p>
    </TitledCard>
  );
}

const LOOKS: Readonly<Record<DeletionStatus, Omit<BadgeProps, 'children'>>> = {
  pending: { tone: 'amber', mark: '◌' },
  processing: { tone: 'blue', mark: '◔' },
  completed: { mark: '⊘' },
  cancelled: { mark: '○' },
};

/** A request that an administrator cancelled is shown as rejected. */
export function DeletionStatusBadge({ request }: { readonly request: DeletionRequest }) {
  const { status, processedAt, overdue } = request;
  return (
    <>
      <Badge {...LOOKS[status]}>
        {status === 'cancelled' && processedAt !== null ? said.rejected : said.statuses[status]}
      </Badge>{' '}
      {overdue && (
        <Badge tone="red" mark="!">
          {said.overdue}
        </Badge>
      )}
    </>
  );
}
