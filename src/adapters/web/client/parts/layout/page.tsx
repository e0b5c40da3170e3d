import { useMatch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { announceTitle } from '#console/app/page-title.ts';
import styles from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** Replaces the h1. */
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  /** The content fills the page and scrolls by itself. */
  readonly isFull?: boolean;
  /** For pages with lists. */
  readonly isWide?: boolean;
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

/** `title` is also shown in the browser tab and the breadcrumbs. */
export function Page({
  title,
  heading,
  actions,
  isFull = false,
  isWide = false,
  isNarrow = false,
  children,
}: PageProps) {
  // During a navigation, the current address may already be that of the next page.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => announceTitle(path, title), [path, title]);
  return (
    <div
      className={`${styles.page} ${isFull ? styles.full : ''} ${isWide ? styles.wide : ''} ${isNarrow ? styles.narrow : ''}`}
    >
      <header className={styles.head}>
        <div className={styles.heading}>{heading ?? <h1>{title}</h1>}</div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function BadgedHeading({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <span className={styles.badged}>
      <h1>{title}</h1>
      {children}
    </span>
  );
}
