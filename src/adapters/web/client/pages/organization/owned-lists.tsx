import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CustomField, Organization, SavedFilter } from '#adapters/http/api-types.ts';
import { customFieldsQuery } from '#console/api/devices.ts';
import { filtersQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { EnrolmentKeys } from '#console/pages/enrolment/keys-dialog.tsx';
import { useOwners } from '#console/pages/filters/owners.ts';
import { Time } from '#console/parts/display/time.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { LoadedTable } from '#console/parts/layout/loaded-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';

const said = words.organization;

/** Only for people with devices:write. */
export function EnrolmentKeysCard({ orgId }: { readonly orgId: string }) {
  return (
    <TitledCard
      title={words.enrolment.keys}
      action={
        <Link to="/organizations" search={{ org: orgId, add: 'machine' }}>
          {words.enrolment.add}
        </Link>
      }
    >
      <EnrolmentKeys orgId={orgId} />
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
  const query = useQuery(filtersQuery(useApi()));
  const { covers } = useOwners();
  return (
    <TitledCard
      title={said.filters}
      action={
        <Link to="/filters/new" search={{ org: orgId }}>
          {words.palette.actions.newFilter}
        </Link>
      }
    >
      <LoadedTable
        label={said.filters}
        columns={FILTER_COLUMNS}
        rows={query.data?.filter((filter) => covers(filter, orgId))}
        query={query}
        pendingRows={2}
        empty={said.noFilters}
      />
    </TitledCard>
  );
}

const FIELD_COLUMNS: readonly Column<CustomField>[] = [
  { id: 'name', title: said.field, isMain: true, cell: ({ name }) => name },
  { id: 'key', title: said.key, cell: ({ key }) => <code>{key}</code> },
  { id: 'type', title: said.type, fits: true, cell: ({ type }) => type },
];

/** Only for people with devices:write. Includes the partner's fields. */
export function FieldsCard({ organization }: { readonly organization: Organization }) {
  const query = useQuery(customFieldsQuery(useApi()));
  const { id: orgId, partnerId } = organization;
  return (
    <TitledCard title={said.fields}>
      <LoadedTable
        label={said.fields}
        columns={FIELD_COLUMNS}
        rows={query.data?.filter((field) => field.orgId === orgId || field.partnerId === partnerId)}
        query={query}
        pendingRows={2}
        empty={said.noFields}
      />
    </TitledCard>
  );
}
