/** What an organization has beside people and sites. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CustomField, EnrolmentKey, Organization, SavedFilter } from '#adapters/http/api-types.ts';
import { customFieldsQuery } from '#console/api/devices.ts';
import { filtersQuery } from '#console/api/filters.ts';
import { enrolmentKeysQuery, revokeEnrolmentKey } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useOwners } from '#console/pages/filters/owners.ts';
import { KeyTable, keyColumns, RevokeDialog } from '#console/pages/settings/api-keys/key-table.tsx';
import { Time, useNow } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';

const said = words.organization;

const KEY_NAME: Column<EnrolmentKey> = {
  id: 'name',
  title: said.name,
  isMain: true,
  cell: ({ name }) => name,
};

/** For holders of devices:write. */
export function EnrolmentKeysCard({ orgId }: { readonly orgId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const now = useNow();
  const { data, error, refetch } = useQuery(enrolmentKeysQuery(api));
  const [leaving, setLeaving] = useState<EnrolmentKey | null>(null);
  return (
    <TitledCard
      title={said.keys}
      action={
        <Link to="/organizations" search={{ org: orgId, add: 'machine' }}>
          {words.enrolment.add}
        </Link>
      }
    >
      <KeyTable
        label={said.keys}
        columns={[KEY_NAME, ...keyColumns<EnrolmentKey>(now, setLeaving)]}
        keys={data?.filter((key) => key.orgId === orgId)}
        error={error}
        onRetry={() => void refetch()}
        empty={{ title: words.enrolment.noKeysTitle, text: words.enrolment.noKeysText }}
      />
      {leaving !== null && (
        <RevokeDialog
          name={leaving.name}
          text={words.enrolment.revokeText}
          onRevoke={async () => {
            await revokeEnrolmentKey(api, leaving.id);
            await queries.invalidateQueries({ queryKey: enrolmentKeysQuery(api).queryKey });
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </TitledCard>
  );
}

const FILTER_COLUMNS: readonly Column<SavedFilter>[] = [
  {
    id: 'name',
    title: said.name,
    isMain: true,
    cell: ({ id, name }) => (
      <Link to="/filters/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  {
    id: 'changed',
    title: said.changed,
    fits: true,
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
];

export function FiltersCard({ orgId }: { readonly orgId: string }) {
  const { data, error, refetch } = useQuery(filtersQuery(useApi()));
  const { covers } = useOwners();
  const filters = data?.filter((filter) => covers(filter, orgId));
  return (
    <TitledCard
      title={said.filters}
      action={
        <Link to="/filters/new" search={{ org: orgId }}>
          {words.palette.actions.newFilter}
        </Link>
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {filters?.length === 0 && <p className="soft">{said.noFilters}</p>}
      {(filters === undefined ? error === null : filters.length > 0) && (
        <DataTable
          label={said.filters}
          columns={FILTER_COLUMNS}
          rows={filters}
          pendingRows={2}
          keyOf={({ id }) => id}
        />
      )}
    </TitledCard>
  );
}

const FIELD_COLUMNS: readonly Column<CustomField>[] = [
  { id: 'name', title: said.field, isMain: true, cell: ({ name }) => name },
  { id: 'key', title: said.key, cell: ({ key }) => <code>{key}</code> },
  { id: 'type', title: said.type, fits: true, cell: ({ type }) => type },
];

/** For holders of devices:write. With those of the partner, which its organizations have too. */
export function FieldsCard({ organization }: { readonly organization: Organization }) {
  const { data, error, refetch } = useQuery(customFieldsQuery(useApi()));
  const { id: orgId, partnerId } = organization;
  const fields = data?.filter((field) => field.orgId === orgId || field.partnerId === partnerId);
  return (
    <TitledCard title={said.fields}>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {fields?.length === 0 && <p className="soft">{said.noFields}</p>}
      {(fields === undefined ? error === null : fields.length > 0) && (
        <DataTable
          label={said.fields}
          columns={FIELD_COLUMNS}
          rows={fields}
          pendingRows={2}
          keyOf={({ id }) => id}
        />
      )}
    </TitledCard>
  );
}
