import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface DevicesLinkProps {
  /** Filter text (Contract: §11); absent for all devices. */
  readonly q?: string;
  /** Default: the current page's organization. */
  readonly org?: string;
  readonly children: ReactNode;
}

export function DevicesLink({ q, org, children }: DevicesLinkProps) {
  const search = { ...(q !== undefined && { q }), ...(org !== undefined && { org }) };
  return (
    <Link to="/devices" search={search}>
      {children}
    </Link>
  );
}

export function DeviceLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <Link to="/devices/$id" params={{ id }}>
      {children}
    </Link>
  );
}
