import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { devicesSearchOf } from './tree/devices-search-of.ts';

export interface DevicesLinkProps {
  readonly conditions: unknown;
  readonly catalog: FieldCatalog;
  /** Null: in all organizations in reach. */
  readonly orgId: string | null;
  readonly children: ReactNode;
}

/** Leads to the devices of a filter in their list; where no address can say them, it leads nowhere. */
export function DevicesLink({ conditions, catalog, orgId, children }: DevicesLinkProps) {
  const search = devicesSearchOf(conditions, catalog, orgId);
  if (search === null) return children;
  return (
    <Link to={'/devices' as '/'} search={search as object}>
      {children}
    </Link>
  );
}
