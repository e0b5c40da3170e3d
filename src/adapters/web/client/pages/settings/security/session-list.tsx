import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountSession } from '#adapters/http/api-types.ts';
import { endOtherSessions, endSession, sessionsQuery } from '#console/api/account.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Section } from '#console/pages/settings/settings-page.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { LoadedTable } from '#console/parts/layout/loaded-table.tsx';
import { describeProgram } from './describe-program.ts';
import styles from './security.module.css';

const said = words.settings.security;

export function SessionList() {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery(sessionsQuery(api));
  const { data } = query;
  const [asksForAll, setAsksForAll] = useState(false);
  const { fault, send } = useSending();
  const reload = () => queries.invalidateQueries({ queryKey: sessionsQuery(api).queryKey });

  const end = ({ id }: AccountSession) =>
    void send(async () => {
      await endSession(api, id);
      await reload();
    });

  return (
    <Section title={said.sessions} text={said.sessionsText}>
      <LoadedTable
        label={said.sessions}
        columns={sessionColumns(end)}
        rows={data}
        query={query}
        pendingRows={1}
        empty={null}
      />
      <ErrorNotice error={fault} />
      {data !== undefined && data.length > 1 && (
        <Button onPress={() => setAsksForAll(true)}>{said.endOthers}</Button>
      )}
      {asksForAll && (
        <ConfirmDialog
          title={said.endOthersTitle}
          action={said.endOthersConfirm}
          onConfirm={async () => {
            await endOtherSessions(api);
            await reload();
          }}
          onClose={() => setAsksForAll(false)}
        >
          {said.endOthersText}
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Without `end`, there are no buttons. */
export function sessionColumns(
  end: ((session: AccountSession) => void) | null,
): readonly Column<AccountSession>[] {
  return [
    {
      id: 'program',
      title: said.session,
      isMain: true,
      cell: (session) => (
        <span className={styles.program} title={session.userAgent ?? undefined}>
          {nameOf(session)}
          {session.current && <Badge tone="green">{said.thisOne}</Badge>}
        </span>
      ),
    },
    { id: 'address', title: said.address, fits: true, cell: ({ ip }) => ip ?? '—' },
    { id: 'used', title: said.lastUsed, fits: true, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { id: 'started', title: said.started, fits: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(end === null ? [] : [endColumn(end)]),
  ];
}

function endColumn(end: (session: AccountSession) => void): Column<AccountSession> {
  return {
    id: 'end',
    title: said.end,
    isAction: true,
    cell: (session) =>
      // Signing out ends the current session, so it has no button.
      session.current ? null : (
        <Button isCompact aria-label={said.endNamed(nameOf(session))} onPress={() => end(session)}>
          {said.end}
        </Button>
      ),
  };
}

function nameOf({ userAgent }: AccountSession): string {
  const { browser, system, name } = describeProgram(userAgent);
  if (browser !== null) return system === null ? browser : said.browserOn(browser, system);
  return name ?? said.unknownProgram;
}
