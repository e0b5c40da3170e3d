import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Duplicates } from '#adapters/http/api-types.ts';
import { duplicatesQuery } from '#console/api/devices.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { MergeDialog } from '#console/pages/device/end-dialogs.tsx';
import { useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { nameOf } from './table/columns.tsx';

const said = words.devicePage.ends;

type Group = Duplicates['data'][number];
type Row = Group['devices'][number];

export function DuplicatesPage() {
  const { org = null } = useSearch({ from: '/shell/devices/duplicates' });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    duplicatesQuery(useApi(), org),
  );
  const [merging, setMerging] = useState<readonly [Row, Row] | null>(null);
  const groups = data?.pages.flatMap((page) => page.data);
  return (
    <Page title={said.duplicates} isWide>
      <p className="soft">{said.duplicatesText}</p>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {groups === undefined && error === null && <Skeleton width={480} />}
      {groups?.length === 0 && (
        <Empty title={said.noDuplicates} text={said.noDuplicatesText}>
          <Link to="/devices">{words.toDevices}</Link>
        </Empty>
      )}
      {groups?.map((group) => (
        <DuplicateGroup
          key={group.devices.map(({ id }) => id).join(' ')}
          group={group}
          onMerge={(kept, gone) => setMerging([kept, gone])}
        />
      ))}
      {hasNextPage && (
        <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
          {words.loadMore}
        </Button>
      )}
      {merging !== null && (
        <MergeDialog device={merging[0]} otherId={merging[1].id} onClose={() => setMerging(null)} />
      )}
    </Page>
  );
}

interface DuplicateGroupProps {
  readonly group: Group;
  readonly onMerge: (kept: Row, gone: Row) => void;
}

function DuplicateGroup({ group: { devices, because }, onMerge }: DuplicateGroupProps) {
  const canChange = holds(useUser(), 'devices:write');
  const organizations = useOrganizations();
  const [kept] = devices;
  if (kept === undefined) return null;
  const reasons = because.map((sign) => said.because[sign]).join(', ');
  const columns: readonly Column<Row>[] = [
    {
      ...{ id: 'name', title: said.device, isMain: true },
      cell: (device) => (
        <Link to="/devices/$id" params={{ id: device.id }} search={{}}>
          {nameOf(device)}
        </Link>
      ),
    },
    { id: 'status', title: said.rows.status, cell: ({ status }) => <DeviceStatus status={status} /> },
    {
      ...{ id: 'seen', title: words.devicePage.lastSeen },
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? words.devicePage.neverSeen : <Time at={lastSeenAt} />),
    },
    {
      ...{ id: 'merge', title: said.merge, isAction: true },
      cell: (device) =>
        canChange && device.id !== kept.id ? (
          <Button isCompact onPress={() => onMerge(kept, device)}>
            {said.mergeWith}
          </Button>
        ) : null,
    },
  ];
  return (
    <section className="stack" aria-label={`${nameOf(kept)}: ${reasons}`}>
      <h2>
        {nameOf(kept)}{' '}
        <span className="soft">
          {organizations.nameOf(kept.orgId)} · {said.same(reasons)}
        </span>
      </h2>
      <DataTable label={nameOf(kept)} columns={columns} rows={devices} keyOf={({ id }) => id} />
    </section>
  );
}
