import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountSession, ApiKey, AuditEntry, Person } from '#adapters/http/api-types.ts';
import { auditLogQuery } from '#console/api/administration.ts';
import { endSessionOf, keysOfQuery, PEOPLE_KEY, revokeKeyOf, sessionsOfQuery } from '#console/api/people.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { AuditSentence } from '#console/pages/administration/audit-sentence.tsx';
import { keyColumns, RevokeDialog } from '#console/pages/settings/api-keys/key-table.tsx';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { sessionColumns } from '#console/pages/settings/security/session-list.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Time, useNow } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';

const said = words.people;

interface ListProps {
  readonly person: Person;
  readonly mayChange: boolean;
}

export function SessionsCard({ person: { id, name }, mayChange }: ListProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsOfQuery(api, id));
  const [asksForAll, setAsksForAll] = useState(false);
  const { fault, send } = useSending();

  const end = async (session: AccountSession | null) => {
    await endSessionOf(api, id, session?.id ?? null);
    await queries.invalidateQueries({ queryKey: PEOPLE_KEY });
  };

  return (
    <TitledCard
      title={said.sessions}
      action={
        mayChange &&
        data !== undefined &&
        data.length > 1 && (
          <Button isCompact onPress={() => setAsksForAll(true)}>
            {said.endAll}
          </Button>
        )
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      <ErrorNotice error={fault} />
      {data?.length === 0 && <p className="soft">{said.noSessions}</p>}
      {(data === undefined ? error === null : data.length > 0) && (
        <DataTable
          label={said.sessions}
          columns={sessionColumns(mayChange ? (session) => void send(() => end(session)) : null)}
          rows={data}
          pendingRows={1}
          keyOf={(session) => session.id}
        />
      )}
      {asksForAll && (
        <ConfirmDialog
          title={said.endAllTitle(name)}
          action={said.endAllConfirm}
          kind="danger"
          onConfirm={() => end(null)}
          onClose={() => setAsksForAll(false)}
        >
          {said.endAllText}
        </ConfirmDialog>
      )}
    </TitledCard>
  );
}

export function KeysCard({ person: { id }, mayChange }: ListProps) {
  const api = useApi();
  const queries = useQueryClient();
  const now = useNow();
  const { data, error, refetch } = useQuery(keysOfQuery(api, id));
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const columns: readonly Column<ApiKey>[] = [
    { id: 'name', title: said.name, isMain: true, cell: ({ name }) => name },
    ...keyColumns<ApiKey>(now, setLeaving).filter(({ isAction }) => mayChange || isAction !== true),
  ];
  return (
    <TitledCard title={said.keys}>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && <p className="soft">{said.noKeys}</p>}
      {(data === undefined ? error === null : data.length > 0) && (
        <DataTable label={said.keys} columns={columns} rows={data} pendingRows={1} keyOf={(key) => key.id} />
      )}
      {leaving !== null && (
        <RevokeDialog
          name={leaving.name}
          text={words.settings.apiKeys.revokeText}
          onRevoke={async () => {
            await revokeKeyOf(api, id, leaving.id);
            await queries.invalidateQueries({ queryKey: PEOPLE_KEY });
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </TitledCard>
  );
}

const SHOWN_ENTRIES = 10;

const ACTIVITY_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: 'what',
    title: words.administration.audit.what,
    isMain: true,
    cell: (entry) => <AuditSentence entry={entry} />,
  },
  { id: 'at', title: words.administration.audit.at, fits: true, cell: ({ at }) => <Time at={at} /> },
];

export function ActivityCard({ person: { id } }: Pick<ListProps, 'person'>) {
  const { data, error, refetch } = useInfiniteQuery(auditLogQuery(useApi(), { actorId: id }));
  const entries = data?.pages[0]?.data.slice(0, SHOWN_ENTRIES);
  return (
    <TitledCard
      title={said.activity}
      action={
        <Link to="/admin/audit-log" search={{ actorId: id }}>
          {said.allActivity}
        </Link>
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {entries?.length === 0 && <p className="soft">{said.noActivity}</p>}
      {(entries === undefined ? error === null : entries.length > 0) && (
        <DataTable
          label={said.activity}
          columns={ACTIVITY_COLUMNS}
          rows={entries}
          pendingRows={3}
          keyOf={(entry) => entry.id}
        />
      )}
    </TitledCard>
  );
}
