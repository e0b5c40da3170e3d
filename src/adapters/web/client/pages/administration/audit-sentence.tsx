import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEntry } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import styles from './audit-log-page.module.css';
import { sentenceOf } from './audit-sentences.ts';

const said = words.administration.audit;

/** For example "Mara Ellingsen changed the filter Disk almost full", with links in both names. */
export function AuditSentence({ entry }: { readonly entry: AuditEntry }) {
  const { actor, did, resource } = sentenceOf(entry);
  const to = addressOf(entry);
  return (
    <span className={styles.sentence}>
      {entry.actor.id === null ? (
        <strong>{actor}</strong>
      ) : (
        <NarrowLink search={{ actorId: entry.actor.id }} label={said.only(actor)}>
          {actor}
        </NarrowLink>
      )}{' '}
      {did}
      {resource !== null && (
        <> {to === null ? <strong>{resource}</strong> : <Link to={to as '/'}>{resource}</Link>}</>
      )}
    </span>
  );
}

/** Null if the resource has no page. */
function addressOf({ action, resourceType, resourceId, resourceName }: AuditEntry): string | null {
  if (resourceId === null || resourceName === null || action.startsWith('device.bulk')) return null;
  switch (resourceType) {
    case 'filter':
      return `/filters/${resourceId}`;
    case 'device':
      return `/devices/${resourceId}`;
    case 'alert':
      return `/alerts/${resourceId}`;
    case 'account_deletion_request':
      return `/admin/account-deletion-requests/${resourceId}`;
    case 'user':
      return `/people/${resourceId}`;
    case 'organization':
      return `/organizations/${resourceId}`;
    default:
      return null;
  }
}

interface NarrowLinkProps {
  readonly search: { readonly actorId: string } | { readonly resourceId: string };
  readonly label?: string;
  readonly children: ReactNode;
}

export function NarrowLink({ search, label, children }: NarrowLinkProps) {
  return (
    <Link to="/admin/audit-log" search={(before) => ({ ...before, ...search })} title={label}>
      {children}
    </Link>
  );
}
