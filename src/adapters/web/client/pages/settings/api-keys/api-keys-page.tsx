import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKey } from '#adapters/http/api-types.ts';
import { apiKeysQuery, revokeApiKey } from '#console/api/account.ts';
import { useApi } from '#console/app/services.ts';
import { hasFactor, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { type Organizations, useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { SettingsPage } from '#console/pages/settings/settings-page.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { useNow } from '#console/parts/display/time.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import styles from './api-keys-page.module.css';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyTable, keyColumns, RevokeDialog } from './key-table.tsx';

const said = words.settings.apiKeys;

export function ApiKeysPage() {
  const api = useApi();
  const queries = useQueryClient();
  const canPassMfa = hasFactor(useUser());
  const now = useNow();
  const organizations = useOrganizations();
  const { data, error, refetch } = useQuery(apiKeysQuery(api));
  const [isCreating, setIsCreating] = useState(false);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
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
        {!canPassMfa && (
          <Notice kind="info">
            {said.needsFactor}{' '}
            <Link to={'/settings/security' as '/'} search={{ next: '/settings/api-keys' } as object}>
              {words.signIn.enroll}
            </Link>
          </Notice>
        )}
        {revoked !== null && <Notice kind="success">{said.revoked(revoked)}</Notice>}
        <KeyTable
          label="API keys"
          columns={columnsFor(organizations, now, setLeaving)}
          keys={data}
          error={error}
          onRetry={() => void refetch()}
          empty={{ title: said.emptyTitle, text: said.emptyText }}
        />
      </div>
      {isCreating && <CreateKeyDialog onCreated={() => void reload()} onClose={() => setIsCreating(false)} />}
      {leaving !== null && (
        <RevokeDialog
          name={leaving.name}
          text={said.revokeText}
          onRevoke={async () => {
            await revokeApiKey(api, leaving.id);
            setRevoked(leaving.name);
            await reload();
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </SettingsPage>
  );
}

function columnsFor(
  organizations: Organizations,
  now: number,
  revoke: (key: ApiKey) => void,
): readonly Column<ApiKey>[] {
  return [
    { id: 'name', title: said.name, isMain: true, cell: ({ name }) => name },
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
    ...keyColumns(now, revoke),
  ];
}
