import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { filterCountQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { textForAddress } from '#console/pages/filters/tree/draft-text.ts';
import { DevicesLink } from '#console/parts/display/device-link.tsx';
import { formatNumber, messageOf } from '#console/parts/display/format.ts';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';

export interface FilterCountProps {
  readonly filter: SavedFilter;
  readonly isSeen: boolean;
  /** The organization whose devices are counted; null for all that the filter covers. */
  readonly orgId: string | null;
  /** Absent for a filter too deep for a link. */
  readonly devices?: Omit<MatchesLinkProps, 'children'>;
}

export function FilterCount({ filter, isSeen, orgId, devices }: FilterCountProps) {
  const { data, error } = useQuery({ ...filterCountQuery(useApi(), filter, orgId), enabled: isSeen });
  if (data !== undefined) {
    const count = formatNumber(data);
    // Conditions alone would also find devices that a partner's filter does not cover.
    if (filter.orgId === null) return <DevicesLink q={`filter:${filter.id}`}>{count}</DevicesLink>;
    return devices === undefined ? count : <MatchesLink {...devices}>{count}</MatchesLink>;
  }
  if (error === null) return <Skeleton width={40} />;
  return (
    <span title={messageOf(error)}>
      <span aria-hidden="true">—</span>
      <span className="visually-hidden">{words.filters.uncounted}</span>
    </span>
  );
}

export interface MatchesLinkProps {
  readonly conditions: unknown;
  readonly catalog: FieldCatalog;
  readonly orgId: string | null;
  readonly children: ReactNode;
}

/** Renders plain text if the filter does not fit into an address. */
export function MatchesLink({ conditions, catalog, orgId, children }: MatchesLinkProps) {
  const q = textForAddress(conditions, catalog);
  if (q === null) return children;
  return (
    <DevicesLink q={q} {...(orgId !== null && { org: orgId })}>
      {children}
    </DevicesLink>
  );
}
