import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IdentityProvider } from '#adapters/http/api-types.ts';
import { deleteProvider, identityProvidersQuery } from '#console/api/identity-providers.ts';
import { useApi } from '#console/app/services.ts';
import { hasFactor, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { ForAdministrators } from '#console/pages/administration/for-administrators.tsx';
import { NeedsFactor } from '#console/pages/needs-factor.tsx';
import { useGiver } from '#console/pages/people/rights.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { ProviderCard } from './provider-card.tsx';
import { ProviderDialog } from './provider-dialog.tsx';

const said = words.identityProviders;

export function IdentityProvidersPage() {
  return (
    <ForAdministrators title={said.title}>
      <Providers />
    </ForAdministrators>
  );
}

type Asked =
  | { readonly what: 'add' }
  | { readonly what: 'change' | 'delete'; readonly provider: IdentityProvider };

function Providers() {
  const api = useApi();
  const queries = useQueryClient();
  const user = useUser();
  const giver = useGiver();
  const { data, error, refetch } = useQuery(identityProvidersQuery(api));
  const [asked, setAsked] = useState<Asked | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const mayChange = hasFactor(user) && giver !== undefined;
  const reload = () => queries.invalidateQueries({ queryKey: identityProvidersQuery(api).queryKey });
  const add = (
    <Button kind="primary" onPress={() => setAsked({ what: 'add' })}>
      {said.add}
    </Button>
  );
  return (
    <Page title={said.title} isWide {...(mayChange && { actions: add })}>
      <p className="soft">{said.text}</p>
      {!hasFactor(user) && <NeedsFactor>{said.needsFactor}</NeedsFactor>}
      {added !== null && <Notice kind="success">{said.added(added)}</Notice>}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && <Empty title={said.emptyTitle} text={said.emptyText} />}
      {data?.map((provider) => (
        <ProviderCard
          key={provider.id}
          provider={provider}
          onVerified={() => void reload()}
          {...(mayChange && {
            onChange: () => setAsked({ what: 'change', provider }),
            onDelete: () => setAsked({ what: 'delete', provider }),
          })}
        />
      ))}
      {giver !== undefined && (asked?.what === 'add' || asked?.what === 'change') && (
        <ProviderDialog
          giver={giver}
          provider={asked.what === 'add' ? null : asked.provider}
          onSaved={({ name }) => {
            setAdded(asked.what === 'add' ? name : null);
            setAsked(null);
            void reload();
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          title={said.removeTitle}
          action={said.remove}
          onConfirm={async () => {
            await deleteProvider(api, asked.provider.id);
            await reload();
          }}
          onClose={() => setAsked(null)}
        >
          {said.removeText(asked.provider.name)}
        </ConfirmDialog>
      )}
    </Page>
  );
}
