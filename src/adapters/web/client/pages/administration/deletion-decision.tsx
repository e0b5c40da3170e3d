import { Link } from '@tanstack/react-router';
import type { DeletionRequest } from '#adapters/http/api-types.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Time } from '#console/parts/display/time.tsx';
import card from '#console/parts/layout/card.module.css';
import facts from './request-facts.module.css';

const said = words.administration.deletions;

/** Who decided on a request that is no longer pending, when, and with which words. */
export function DeletionDecision({ request }: { readonly request: DeletionRequest }) {
  const user = useUser();
  const { id, status, processedAt, processedBy, processBy, adminNote } = request;
  if (processedAt === null) {
    return (
      <section className={card.card}>
        <h2>{said.statuses.cancelled}</h2>
        <p>{said.withdrawn}</p>
      </section>
    );
  }
  // One that was decided late is carried out when it is decided.
  const erasedAt = processedAt > processBy ? processedAt : processBy;
  return (
    <section className={card.card}>
      <h2>{said.decision}</h2>
      <p>
        <strong>{said.outcomes[status]}</strong>
      </p>
      <dl className={facts.facts}>
        <dt>{said.decidedBy}</dt>
        <dd>
          {processedBy === user.id ? said.you : said.otherAdministrator}
          {processedBy !== user.id && (
            <>
              {' '}
              <code>{processedBy}</code>
            </>
          )}
        </dd>
        <dt>{said.decidedAt}</dt>
        <dd>
          <Time at={processedAt} as="dateTime" />
        </dd>
        {status !== 'cancelled' && (
          <>
            <dt>{status === 'completed' ? said.erasedOn : said.willBeErasedOn}</dt>
            <dd>
              <Time at={status === 'completed' ? request.updatedAt : erasedAt} as="dateTime" />
            </dd>
          </>
        )}
        {adminNote !== null && (
          <>
            <dt>{said.noteToUser}</dt>
            <dd className={facts.text}>{adminNote}</dd>
          </>
        )}
      </dl>
      <p>
        <Link to="/admin/audit-log" search={{ resourceId: id }}>
          {said.seeInLog}
        </Link>
      </p>
    </section>
  );
}
