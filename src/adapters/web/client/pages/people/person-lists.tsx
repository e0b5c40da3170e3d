import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountSession, AuditEntry, Person } from '#adapters/http/api-types.ts';
import { auditLogQuery } from '#console/api/administration.ts';
import { endSessionOf, keysOfQuery, PEOPLE_KEY, revokeKeyOf, sessionsOfQuery } from '#console/api/people.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { AuditSentence } from '#console/pages/administration/audit-sentence.tsx';
import { KeyTable } from '#console/pages/settings/api-keys/key-table.tsx';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { sessionColumns } from '#console/pages/settings/security/session-list.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { LoadedTable } from '#console/parts/layout/loaded-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';

const said = words.people;

interface ListProps {
  readonly person: Person;
  readonly mayChange: boolean;
}

export function SessionsCard({ person: { id, name }, mayChange }: ListProps) {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery(sessionsOfQuery(api, id));
  const { data } = query;
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
      <ErrorNotice error={fault} />
      <LoadedTable
        label={said.sessions}
        columns={sessionColumns(mayChange ? (session) => void send(() => end(session)) : null)}
        rows={data}
        query={query}
        pendingRows={1}
        empty={said.noSessions}
      />
      {asksForAll && (
        <ConfirmDialog
          title={said.endAllTitle(name)}
          action={said.endAllConfirm}
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
  const query = useQuery(keysOfQuery(api, id));
  return (
    <TitledCard title={said.keys}>
      <KeyTable
        label={said.keys}
        rows={query.data}
        query={query}
        empty={said.noKeys}
        revokeText={words.settings.apiKeys.revokeText}
        onRevoke={
          mayChange
            ? async (key) => {
                await revokeKeyOf(api, id, key.id);
                await queries.invalidateQueries({ queryKey: PEOPLE_KEY });
              }
            : null
        }
      />
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
  const query = useInfiniteQuery(auditLogQuery(useApi(), { actorId: id }));
  return (
    <TitledCard
      title={said.activity}
      action={
        <Link to="/admin/audit-log" search={{ actorId: id }}>
          {said.allActivity}
        </Link>
      }
    >
      <LoadedTable
        label={said.activity}
        columns={ACTIVITY_COLUMNS}
        rows={query.data?.pages[0]?.data.slice(0, SHOWN_ENTRIES)}
        query={query}
        pendingRows={3}
        empty={said.noActivity}
      />
    </TitledCard>
  );
}
