import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { Organization } from '#adapters/http/api-types.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { AddMachineDialog } from '#console/pages/enrolment/add-machine-dialog.tsx';
import { KeysDialog } from '#console/pages/enrolment/keys-dialog.tsx';
import { CreateTenants, useMayCreate } from '#console/pages/organization/create-tenants.tsx';
import type { OrganizationSort } from '#console/pages/search.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyableText } from '#console/parts/actions/copy-button.tsx';
import { DevicesLink } from '#console/parts/display/device-link.tsx';
import { formatNumber } from '#console/parts/display/format.ts';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import styles from './paged-table.module.css';
import { NarrowingSearch, Toolbar, useNarrow } from './toolbar.tsx';

const said = words.lists.organizations;

export function OrganizationsPage() {
  const { org, search, sort = 'name', add, keys } = useSearch({ from: '/shell/organizations' });
  const { data, error, refetch } = useQuery(organizationsQuery(useApi()));
  const narrow = useNarrow();
  const mayAdd = holds(useUser(), DEVICES_WRITE) && data?.length !== 0;
  const keyed = data?.find(({ id }) => id === keys);
  const found = data?.filter(
    ({ id, name }) =>
      (org === undefined || id === org) &&
      (search === undefined || foldCase(name).includes(foldCase(search))),
  );
  const setSort = (chosen: OrganizationSort) => narrow({ sort: chosen === 'name' ? undefined : chosen });
  return (
    <Page
      title="Organizations"
      isWide
      actions={
        <>
          <CreateTenants />
          {mayAdd && (
            <Button kind="primary" onPress={() => narrow({ add: 'machine' })}>
              {words.enrolment.add}
            </Button>
          )}
        </>
      }
    >
      <Toolbar>
        <NarrowingSearch label={said.search} value={search} />
      </Toolbar>
      {(found !== undefined || error === null) && (
        <p role="status" className={styles.count}>
          {found === undefined ? (
            <Skeleton width={72} />
          ) : (
            words.lists.count(found.length, said.one, said.many, false)
          )}
        </p>
      )}
      {data === undefined && error !== null ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Empty title={said.emptyTitle} text={<NoOrganizations />} />
      ) : found?.length === 0 ? (
        <Empty title={said.noneFoundTitle} text={said.noneFoundText}>
          <Button onPress={() => narrow({ search: undefined, org: undefined })}>{words.lists.clear}</Button>
        </Empty>
      ) : (
        <DataTable
          label="Organizations"
          columns={[
            ...columnsFor(hasPartners(data ?? []), sort, setSort),
            ...(mayAdd ? [keysColumn((id) => narrow({ keys: id }))] : []),
          ]}
          rows={found && sorted(found, sort)}
          keyOf={({ id }) => id}
        />
      )}
      {mayAdd && data !== undefined && add !== undefined && (
        <AddMachineDialog
          organizations={data}
          org={keys ?? org ?? null}
          onClose={() => narrow({ add: undefined })}
        />
      )}
      {mayAdd && keyed !== undefined && add === undefined && (
        <KeysDialog
          organization={keyed}
          onAdd={() => narrow({ add: 'machine' })}
          onClose={() => narrow({ keys: undefined })}
        />
      )}
    </Page>
  );
}

function keysColumn(open: (orgId: string) => void): Column<Organization> {
  return {
    id: 'keys',
    title: words.enrolment.keys,
    isAction: true,
    fits: true,
    align: 'end',
    cell: ({ id, name }) => (
      <Button isCompact aria-label={words.enrolment.keysOf(name)} onPress={() => open(id)}>
        {words.enrolment.keys}
      </Button>
    ),
  };
}

/** The API sorts by name. */
function sorted(byName: readonly Organization[], sort: OrganizationSort): readonly Organization[] {
  switch (sort) {
    case 'name':
      return byName;
    case '-name':
      return byName.toReversed();
    case 'devices':
      return byName.toSorted((a, b) => a.deviceCount - b.deviceCount);
    case '-devices':
      return byName.toSorted((a, b) => b.deviceCount - a.deviceCount);
  }
}

function hasPartners(organizations: readonly Organization[]): boolean {
  return new Set(organizations.map(({ partnerId }) => partnerId)).size > 1;
}

function columnsFor(
  showsPartner: boolean,
  sort: OrganizationSort,
  setSort: (sort: OrganizationSort) => void,
): readonly Column<Organization>[] {
  return [
    {
      id: 'name',
      title: words.lists.organization,
      isMain: true,
      cell: ({ id, name }) => (
        <Link to="/organizations/$id" params={{ id }}>
          {name}
        </Link>
      ),
      sort: {
        direction: sort === 'name' ? 'ascending' : sort === '-name' ? 'descending' : null,
        onSort: () => setSort(sort === 'name' ? '-name' : 'name'),
      },
    },
    ...(showsPartner
      ? [{ id: 'partner', title: said.partner, cell: ({ partnerName }: Organization) => partnerName }]
      : []),
    {
      id: 'devices',
      title: said.devices,
      align: 'end',
      fits: true,
      cell: ({ id, deviceCount }) => <DevicesLink org={id}>{formatNumber(deviceCount)}</DevicesLink>,
      sort: {
        direction: sort === 'devices' ? 'ascending' : sort === '-devices' ? 'descending' : null,
        onSort: () => setSort(sort === '-devices' ? 'devices' : '-devices'),
      },
    },
  ];
}

function NoOrganizations() {
  const mayCreate = useMayCreate();
  const { scope } = useUser();
  if (mayCreate) return <p>{said.createAbove}</p>;
  if (scope !== 'system') return <p>{said.noneReached}</p>;
  return (
    <>
      <p>{said.noneYet}</p>
      <CopyableText text={said.createCommand} label={said.copyCommand} />
    </>
  );
}
