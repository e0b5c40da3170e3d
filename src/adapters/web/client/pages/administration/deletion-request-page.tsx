import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { DeletionRequest } from '#adapters/http/api-types.ts';
import { DELETION_REQUESTS_KEY, deletionRequestQuery, type Verdict } from '#console/api/administration.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Facts } from '#console/pages/facts.tsx';
import { useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import card from '#console/parts/layout/card.module.css';
import { BadgedHeading, Page } from '#console/parts/layout/page.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import { DeletionDecision, DeletionStatusBadge } from './deletion-decision.tsx';
import styles from './deletion-request-page.module.css';
import { ForAdministrators } from './for-administrators.tsx';

const route = getRouteApi('/shell/admin/account-deletion-requests/$id');

const said = words.administration.deletions;

type Outcome = { readonly kind: 'success' | 'warning'; readonly text: string };

export function DeletionRequestPage() {
  const { id } = route.useParams();
  // A new key drops the outcome shown for the previous request.
  return (
    <ForAdministrators title={said.one}>
      <Review key={id} id={id} />
    </ForAdministrators>
  );
}

function Review({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const api = useApi();
  const { data: request, error, refetch } = useQuery(deletionRequestQuery(api, id));
  const [asked, setAsked] = useState<Verdict | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  if (error instanceof ApiError && error.status === 404) {
    return (
      <Page title={said.one}>
        <Empty title={words.notFoundTitle} text={said.gone}>
          <Link to="/admin/account-deletion-requests">{said.toList}</Link>
        </Empty>
      </Page>
    );
  }

  function decided(now: DeletionRequest) {
    setAsked(null);
    const name = nameOf(now);
    setOutcome({
      kind: 'success',
      text: now.status === 'processing' ? said.approved(name) : said.rejectedNow(name),
    });
    queries.setQueryData(deletionRequestQuery(api, id).queryKey, now);
    void queries.invalidateQueries({ queryKey: DELETION_REQUESTS_KEY });
  }

  async function overtaken(conflict: ApiError) {
    await queries.invalidateQueries({ queryKey: DELETION_REQUESTS_KEY });
    setAsked(null);
    setOutcome({ kind: 'warning', text: conflict.message });
  }

  return (
    <Page
      title={request === undefined ? said.one : nameOf(request)}
      heading={
        <BadgedHeading title={said.one}>
          {request !== undefined && <DeletionStatusBadge request={request} />}
        </BadgedHeading>
      }
      actions={
        request?.status === 'pending' && (
          <>
            <Button onPress={() => setAsked('reject')}>{said.reject}</Button>
            <Button kind="primary" onPress={() => setAsked('approve')}>
              {said.approve}
            </Button>
          </>
        )
      }
    >
      {outcome !== null && <Notice kind={outcome.kind}>{outcome.text}</Notice>}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      <div className={card.columns}>
        {(request !== undefined || error === null) && <Who request={request} />}
        {request?.status === 'pending' ? (
          <Consequences request={request} />
        ) : (
          request !== undefined && <DeletionDecision request={request} />
        )}
      </div>
      {request !== undefined && asked !== null && (
        <DecisionDialog
          request={request}
          verdict={asked}
          onClose={() => setAsked(null)}
          onDecided={decided}
          onOvertaken={overtaken}
        />
      )}
    </Page>
  );
}

function nameOf({ user: { name, email } }: DeletionRequest): string {
  return name ?? email ?? said.nobody;
}

function Who({ request }: { readonly request: DeletionRequest | undefined }) {
  const organizations = useOrganizations();
  const { user, orgId, requestedAt, processBy, reason } = request ?? {};
  return (
    <div className="stack">
      <TitledCard title={said.who}>
        <Facts
          rows={[
            [said.person, user && (user.name ?? said.nobody)],
            [said.email, user && (user.email ?? '—')],
            [
              said.organization,
              orgId === null ? said.noOrganization : orgId && (organizations.nameOf(orgId) ?? '—'),
            ],
            [said.id, user && <code>{user.id}</code>],
          ]}
        />
      </TitledCard>
      <TitledCard title={said.asks}>
        <p>{said.askedFor}</p>
        <Facts
          rows={[
            [
              said.requested,
              requestedAt && (
                <>
                  <Time at={requestedAt} as="dateTime" /> (<Time at={requestedAt} />)
                </>
              ),
            ],
            [said.decideBy, processBy && <Time at={processBy} as="dateTime" />],
            [said.reason, request && <span className={styles.text}>{reason ?? said.noReason}</span>],
          ]}
        />
      </TitledCard>
    </div>
  );
}

function Consequences({ request }: { readonly request: DeletionRequest }) {
  return (
    <TitledCard title={said.consequences}>
      {request.overdue ? (
        <p>{said.late}</p>
      ) : (
        <p>
          {said.ifApproved}
          <strong>
            <Time at={request.processBy} as="dateTime" />
          </strong>
          . {said.untilThen}
        </p>
      )}
      <p>{said.ifRejected}</p>
      <div className={styles.lists}>
        {[
          { title: said.erasedTitle, items: said.erased },
          { title: said.keptTitle, items: said.kept },
        ].map(({ title, items }) => (
          <div key={title}>
            <h3>{title}</h3>
            <ul>
              {items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </TitledCard>
  );
}
