import { useMatch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { announceTitle } from '#console/app/page-title.ts';
import styles from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** Beside the title; absent: the title alone. */
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  /** As high as the window, for a page whose content scrolls in itself. */
  readonly isFull?: boolean;
  /** For what is read line by line, which gets no better by being wide. */
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

/** A page with its one h1; its title is what the browser's tab and the breadcrumbs call it. */
export function Page({ title, heading, actions, isFull = false, isNarrow = false, children }: PageProps) {
  // Its own: while one page gives way to the next, the address is already that of the one or still that of the other.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => announceTitle(path, title), [path, title]);
  return (
    <div className={`${styles.page} ${isFull ? styles.full : ''} ${isNarrow ? styles.narrow : ''}`}>
      <header className={styles.head}>
        <div className={styles.heading}>{heading ?? <h1>{title}</h1>}</div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
