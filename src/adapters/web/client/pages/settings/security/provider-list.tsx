/** Contract: §16. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { OwnProvider } from '#adapters/http/api-types.ts';
import { linkProvider, ownProvidersQuery, unlinkProvider } from '#console/api/provider-sign-in.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Section } from '#console/pages/settings/settings-page.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { ProviderProblem } from '#console/session/provider-problem.tsx';

const said = words.settings.security;

export function ProviderList() {
  const api = useApi();
  const queries = useQueryClient();
  const { problem, request } = useSearch({ from: '/shell/settings/security' });
  const { data = [] } = useQuery(ownProvidersQuery(api));
  const [leaving, setLeaving] = useState<OwnProvider | null>(null);
  const { isSending, fault, send } = useSending();
  if (data.length === 0) return null;

  const link = ({ id }: OwnProvider) => void send(() => linkProvider(api, id));
  return (
    <Section title={said.providers} text={said.providersText}>
      <ProviderProblem problem={problem} request={request} />
      <ErrorNotice error={fault} />
      <DataTable
        label={said.providers}
        columns={columnsFor(link, setLeaving, isSending)}
        rows={data}
        keyOf={({ id }) => id}
      />
      {leaving !== null && (
        <ConfirmDialog
          title={said.unlinkTitle}
          action={said.unlink}
          onConfirm={async () => {
            await unlinkProvider(api, leaving.id);
            await queries.invalidateQueries({ queryKey: ownProvidersQuery(api).queryKey });
          }}
          onClose={() => setLeaving(null)}
        >
          {said.unlinkText(leaving.name)}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function columnsFor(
  link: (provider: OwnProvider) => void,
  unlink: (provider: OwnProvider) => void,
  isSending: boolean,
): readonly Column<OwnProvider>[] {
  return [
    { id: 'name', title: said.provider, isMain: true, cell: ({ name }) => name },
    {
      id: 'linked',
      title: said.linked,
      fits: true,
      cell: ({ linkedAt }) => (linkedAt === null ? said.notLinked : <Time at={linkedAt} />),
    },
    {
      id: 'used',
      title: said.lastUsed,
      fits: true,
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? said.neverUsed : <Time at={lastSignInAt} />),
    },
    {
      id: 'change',
      title: said.link,
      isAction: true,
      cell: (provider) =>
        provider.permanent ? (
          said.madeByIt
        ) : provider.linkedAt === null ? (
          <Button
            isCompact
            isDisabled={isSending}
            aria-label={said.linkNamed(provider.name)}
            onPress={() => link(provider)}
          >
            {said.link}
          </Button>
        ) : (
          <Button isCompact aria-label={said.unlinkNamed(provider.name)} onPress={() => unlink(provider)}>
            {said.unlink}
          </Button>
        ),
    },
  ];
}
