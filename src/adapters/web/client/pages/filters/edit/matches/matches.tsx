import { Link } from '@tanstack/react-router';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import type { Matches as Found } from '#console/api/filters.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { DevicesLink, type DevicesLinkProps } from '#console/pages/filters/list/filter-count.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import styles from './matches.module.css';
import type { Evaluation } from './use-evaluation.ts';

export interface MatchesProps {
  /** Undefined before the first answer. */
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

const SKELETON_ROWS = 3;

export function Matches({ found, isOld, organizations, hint, onWhy, all }: MatchesProps) {
  const { deviceColumns } = words.filters;
  return (
    <section className={styles.matches} aria-busy={isOld}>
      <div className={styles.head}>
        <h2 id="matches-title">{words.filters.matchesTitle}</h2>
        {all !== null && found !== undefined && found.totalCount > 0 && (
          <DevicesLink {...all}>{words.filters.showAll(found.totalCount)}</DevicesLink>
        )}
      </div>
      {found?.totalCount === 0 ? (
        <p className={styles.none}>
          {words.filters.noMatches} {hint}
        </p>
      ) : (
        <div className={styles.scroll}>
          <table aria-labelledby="matches-title" className={styles.table} data-old={isOld || undefined}>
            <thead>
              <tr>
                <th scope="col">{deviceColumns.name}</th>
                <th scope="col">{deviceColumns.status}</th>
                <th scope="col" className={styles.wide}>
                  {deviceColumns.os}
                </th>
                <th scope="col" className={styles.wide}>
                  {deviceColumns.lastSeen}
                </th>
                {organizations !== null && (
                  <th scope="col" className={styles.wide}>
                    {deviceColumns.organization}
                  </th>
                )}
                <th scope="col">
                  <span className="visually-hidden">{words.filters.why}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found === undefined
                ? Array.from({ length: SKELETON_ROWS }, (_, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
                    <tr key={i}>
                      <td colSpan={organizations === null ? 5 : 6}>
                        <Skeleton width="60%" />
                      </td>
                    </tr>
                  ))
                : found.data.map((device) => (
                    <tr key={device.id}>
                      <td>
                        <Link to={`/devices/${device.id}` as '/'}>{nameOf(device)}</Link>
                      </td>
                      <td>
                        <DeviceStatus status={device.status} />
                      </td>
                      <td className={styles.wide}>
                        {device.osType === null ? '—' : words.filters.os[device.osType]}
                      </td>
                      <td className={styles.wide}>
                        {device.lastSeenAt === null ? words.filters.never : <Time at={device.lastSeenAt} />}
                      </td>
                      {organizations !== null && (
                        <td className={styles.wide}>{organizations.get(device.orgId) ?? '—'}</td>
                      )}
                      <td className={styles.why}>
                        <Button
                          kind="quiet"
                          isCompact
                          aria-label={words.filters.whyNamed(nameOf(device))}
                          onPress={() => onWhy(device)}
                        >
                          {words.filters.why}
                        </Button>
                      </td>
                    </tr>
                  ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

interface LiveCountProps {
  readonly evaluation: Evaluation;
  /** The text or JSON does not parse yet. */
  readonly isPending: boolean;
  /** Only one of several organizations is counted. */
  readonly isNarrowed: boolean;
  /** Set only if no other message shows it. */
  readonly explanationError: unknown;
}

export function LiveCount({ evaluation, isPending, isNarrowed, explanationError }: LiveCountProps) {
  const { state, matches, explanation, unfinished, isOld, matchesError, retry } = evaluation;
  return (
    <div className={styles.line}>
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
