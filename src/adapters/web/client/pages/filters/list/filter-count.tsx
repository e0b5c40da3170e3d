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
  /** Absent for a filter too deep for a link. */
  readonly devices?: Omit<MatchesLinkProps, 'children'>;
}

export function FilterCount({ filter, isSeen, devices }: FilterCountProps) {
  const { data, error } = useQuery({ ...filterCountQuery(useApi(), filter), enabled: isSeen });
  if (data !== undefined) {
    const count = formatNumber(data);
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
