import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '#adapters/http/api-types.ts';
import { apiKeysQuery, revokeApiKey } from '#console/api/account.ts';
import { useApi } from '#console/app/services.ts';
import { hasFactor, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { type Organizations, useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { NeedsFactor } from '#console/pages/needs-factor.tsx';
import { SettingsPage } from '#console/pages/settings/settings-page.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import styles from './api-keys-page.module.css';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyTable } from './key-table.tsx';

const said = words.settings.apiKeys;

export function ApiKeysPage() {
  const api = useApi();
  const queries = useQueryClient();
  const canPassMfa = hasFactor(useUser());
  const organizations = useOrganizations();
  const query = useQuery(apiKeysQuery(api));
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<string | null>(null);
  const reload = () => queries.invalidateQueries({ queryKey: apiKeysQuery(api).queryKey });

  const create = (
    <Button kind="primary" onPress={() => setIsCreating(true)}>
      {said.create}
    </Button>
  );
  return (
    <SettingsPage title="API keys" {...(canPassMfa && { actions: create })}>
      <div className={`stack ${styles.page}`}>
        <p className="soft">{said.text}</p>
        {!canPassMfa && <NeedsFactor>{said.needsFactor}</NeedsFactor>}
        {revoked !== null && <Notice kind="success">{said.revoked(revoked)}</Notice>}
        <KeyTable
          label="API keys"
          columns={columnsFor(organizations)}
          rows={query.data}
          query={query}
          empty={<Empty title={said.emptyTitle} text={said.emptyText} />}
          revokeText={said.revokeText}
          onRevoke={async ({ id, name }) => {
            await revokeApiKey(api, id);
            setRevoked(name);
            await reload();
          }}
        />
      </div>
      {isCreating && <CreateKeyDialog onCreated={() => void reload()} onClose={() => setIsCreating(false)} />}
    </SettingsPage>
  );
}

function columnsFor(organizations: Organizations): readonly Column<ApiKey>[] {
  return [
    {
      id: 'permissions',
      title: said.permissions,
      cell: ({ permissions }) =>
        permissions.length === 0 ? said.noPermissions : <code>{permissions.join(', ')}</code>,
    },
    {
      id: 'organization',
      title: said.organization,
      cell: ({ orgId }) => (orgId === null ? said.allOrganizations : (organizations.nameOf(orgId) ?? '—')),
    },
  ];
}
