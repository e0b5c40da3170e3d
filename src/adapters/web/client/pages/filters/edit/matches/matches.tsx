import { useQuery } from '@tanstack/react-query';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { type Matches as Found, impactQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { SampleNotice } from '#console/pages/explain/explain-tree.tsx';
import type { SavedVersion } from '#console/pages/filters/edit/draft/filter-draft.ts';
import { DevicesLink, type DevicesLinkProps } from '#console/pages/filters/list/filter-count.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { DeviceLink } from '#console/parts/display/device-link.tsx';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { Time } from '#console/parts/display/time.tsx';
import {
  asksForPatches,
  UnreportedPatches,
  unreportedOfConditions,
} from '#console/parts/display/unreported-patches.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import styles from './matches.module.css';
import type { Evaluation } from './use-evaluation.ts';

export interface MatchesProps {
  readonly found: Found | undefined;
  readonly isOld: boolean;
  /** Names by id; null if only one organization is in reach. */
  readonly organizations: ReadonlyMap<string, string> | null;
  /** What to leave out if nothing matches; null if unknown. */
  readonly hint: string | null;
  readonly onWhy: (device: DeviceRow) => void;
  /** Null while the filter is incomplete or a newer answer is loading. */
  readonly all: Omit<DevicesLinkProps, 'children'> | null;
}

export function Matches({ found, isOld, organizations, hint, onWhy, all }: MatchesProps) {
  return (
    <section className={styles.matches} aria-busy={isOld}>
      <div className={styles.head}>
        <h2>{words.filters.matchesTitle}</h2>
        {all !== null && found !== undefined && found.totalCount > 0 && (
          <DevicesLink {...all}>{words.filters.showAll(found.totalCount)}</DevicesLink>
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

interface ImpactLineProps {
  readonly saved: SavedVersion;
  /** Null while a newer answer is loading. */
  readonly json: string | null;
}

/** How many devices would enter and leave. Nothing if the filter as it is can no longer be evaluated. */
export function ImpactLine({ saved, json }: ImpactLineProps) {
  const { data } = useQuery(impactQuery(useApi(), saved.data.id, saved.etag, json));
  if (data === undefined) return null;
  const { entering, leaving, usedBy } = data;
  return (
    <p role="status" className={styles.impact}>
      {words.filters.impact(entering, leaving)}
      {usedBy.length > 0 && (
        <span title={usedBy.map(({ name }) => name).join(', ')}>
          {' '}
          · {words.filters.usedBy(usedBy.length)}
        </span>
      )}
    </p>
  );
}

interface LiveCountProps {
  readonly evaluation: Evaluation;
  /** The text or JSON does not parse yet. */
  readonly isPending: boolean;
  readonly isNarrowed: boolean;
  /** Set only if no other message shows it. */
  readonly explanationError: unknown;
  readonly orgId: string | null;
}

export function LiveCount({ evaluation, isPending, isNarrowed, explanationError, orgId }: LiveCountProps) {
  const { state, matches, json, explanation, unfinished, isOld, matchesError, retry } = evaluation;
  return (
    <div className={styles.head}>
      <p role="status" className={styles.count} data-old={isOld || undefined}>
        {state === 'nothing' && !isPending
          ? words.filters.nothingToCount
          : matches !== undefined
            ? words.filters.devices(matches.totalCount)
            : state !== 'sound' || matchesError !== null
              ? words.filters.notCounted
              : words.filters.counting}
      </p>
      {matches !== undefined && state === 'sound' && (
        <p className={styles.more}>
          {explanation !== undefined && !isNarrowed && `${words.filters.ofAll(explanation.deviceCount)} · `}
          {words.filters.evaluated} <Time at={matches.evaluatedAt} as="timeOfDay" />
        </p>
      )}
      {explanation?.sample !== undefined && state === 'sound' && <SampleNotice sample={explanation.sample} />}
      {json !== null && matches !== undefined && state === 'sound' && asksForPatches(json) && (
        <UnreportedPatches ofThese={unreportedOfConditions(json)} orgId={orgId} />
      )}
      {(state === 'faulty' || isPending) && <p className={styles.fault}>{words.filters.faultsToMend}</p>}
      {unfinished > 0 && state !== 'nothing' && (
        <p className={styles.more}>{words.filters.unfinished(unfinished)}</p>
      )}
      {matchesError !== null && <ErrorNotice error={matchesError} onRetry={retry} />}
      {matchesError === null && explanationError !== null && (
        <>
          <p className={styles.more}>{words.filters.notExplained}</p>
          <ErrorNotice error={explanationError} onRetry={retry} />
        </>
      )}
    </div>
  );
}
