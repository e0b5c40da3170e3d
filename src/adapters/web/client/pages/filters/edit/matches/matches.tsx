import type { DeviceRow } from '#adapters/http/api-types.ts';
import type { Matches as Found } from '#console/api/filters.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { MatchesLink, type MatchesLinkProps } from '#console/pages/filters/list/filter-count.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { DeviceLink } from '#console/parts/display/device-link.tsx';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import styles from './matches.module.css';

export interface MatchesProps {
  readonly found: Found | undefined;
  readonly isOld: boolean;
  /** Names by id; null if the user reaches only one organization. */
  readonly organizations: ReadonlyMap<string, string> | null;
  readonly hint: string | null;
  readonly onWhy: (device: DeviceRow) => void;
  /** The link to all matches; null while there is no final answer. */
  readonly all: Omit<MatchesLinkProps, 'children'> | null;
}

export function Matches({ found, isOld, organizations, hint, onWhy, all }: MatchesProps) {
  return (
    <section className={styles.matches} aria-busy={isOld}>
      <div className={styles.head}>
        <h2>{words.filters.matchesTitle}</h2>
        {all !== null && found !== undefined && found.totalCount > 0 && (
          <MatchesLink {...all}>{words.filters.showAll(found.totalCount)}</MatchesLink>
        )}
      </div>
      {found?.totalCount === 0 ? (
        <p className="soft">
          {words.filters.noMatches} {hint}
        </p>
      ) : (
        <div data-old={isOld || undefined}>
          <DataTable
            label={words.filters.matchesTitle}
            columns={columnsFor(organizations, onWhy)}
            rows={found?.data}
            pendingRows={3}
            keyOf={({ id }) => id}
          />
        </div>
      )}
    </section>
  );
}

function columnsFor(
  organizations: MatchesProps['organizations'],
  onWhy: MatchesProps['onWhy'],
): readonly Column<DeviceRow>[] {
  const { deviceColumns: titles, os, never, why, whyNamed } = words.filters;
  const organization: Column<DeviceRow> = {
    id: 'organization',
    title: titles.organization,
    cell: ({ orgId }) => organizations?.get(orgId) ?? '—',
  };
  return [
    {
      id: 'name',
      title: titles.name,
      isMain: true,
      cell: (device) => <DeviceLink id={device.id}>{nameOf(device)}</DeviceLink>,
    },
    { id: 'status', title: titles.status, cell: ({ status }) => <DeviceStatus status={status} /> },
    { id: 'os', title: titles.os, cell: ({ osType }) => (osType === null ? '—' : os[osType]) },
    {
      id: 'lastSeen',
      title: titles.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? never : <Time at={lastSeenAt} />),
    },
    ...(organizations === null ? [] : [organization]),
    {
      id: 'why',
      title: why,
      isAction: true,
      fits: true,
      cell: (device) => (
        <Button kind="quiet" isCompact aria-label={whyNamed(nameOf(device))} onPress={() => onWhy(device)}>
          {why}
        </Button>
      ),
    },
  ];
}
