import { useSearch } from '@tanstack/react-router';
import type { Patch } from '#adapters/http/api-types.ts';
import { patchesQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { DevicesLink } from '#console/parts/display/device-link.tsx';
import { formatNumber } from '#console/parts/display/format.ts';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import type { CoreFieldKey } from '#domain/filter/catalog/core-fields.ts';
import { quote } from '#domain/filter/text/text-keys.ts';
import { PATCH_STATUSES, type PatchStatus } from '#domain/fleet/fleet-record.ts';
import { PagedTable } from './paged-table.tsx';
import { NarrowingSelect, Toolbar, useNarrow } from './toolbar.tsx';

const said = words.lists.patches;

export function PatchesPage() {
  const api = useApi();
  const { org, status } = useSearch({ from: '/shell/patches' });
  const narrow = useNarrow();
  return (
    <Page title="Patches" isWide>
      <Toolbar end={<DevicesLink q="patches.pending:yes">{said.pendingDevices}</DevicesLink>}>
        <NarrowingSelect
          label={said.status}
          name="status"
          any={said.anyStatus}
          options={said.statuses}
          value={status}
        />
      </Toolbar>
      <PagedTable
        label="Patches"
        query={patchesQuery(api, { status, orgId: org })}
        columns={COLUMNS}
        keyOf={({ title }) => title}
        one={said.one}
        many={said.many}
        empty={
          status === undefined
            ? { title: said.emptyTitle, text: said.emptyText }
            : {
                title: said.noneFoundTitle(said.statuses[status]),
                text: said.noneFoundText,
                onClear: () => narrow({ status: undefined }),
              }
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Patch>[] = [
  { id: 'title', title: said.title, isMain: true, cell: ({ title }) => title },
  ...PATCH_STATUSES.map(
    (status): Column<Patch> => ({
      id: status,
      title: said.statuses[status],
      align: 'end',
      fits: true,
      cell: (patch) => <Devices patch={patch} status={status} />,
    }),
  ),
];

const TITLE_KEYS: Partial<Record<PatchStatus, CoreFieldKey>> = {
  pending: 'patches.pendingTitle',
  failed: 'patches.failedTitle',
};

/** Counts of installed patches have no link: no filter field has their titles. */
function Devices({ patch, status }: { readonly patch: Patch; readonly status: PatchStatus }) {
  const count = formatNumber(patch[status]);
  const key = TITLE_KEYS[status];
  if (key === undefined || patch[status] === 0) return count;
  return <DevicesLink q={`${key}:=${quote(patch.title)}`}>{count}</DevicesLink>;
}
