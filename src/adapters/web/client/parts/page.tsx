import { type ReactNode, useEffect } from 'react';
import { words } from '#console/app/words.ts';
import styles from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** Beside the title; absent: the title alone. */
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  /** As high as the window, for a page whose content scrolls in itself. */
  readonly isFull?: boolean;
  readonly children: ReactNode;
}

/** A page with its one h1, which the browser's tab is named after. */
export function Page({ title, heading, actions, isFull = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  return (
    <div className={`${styles.page} ${isFull ? styles.full : ''}`}>
      <header className={styles.head}>
        <div className={styles.heading}>{heading ?? <h1>{title}</h1>}</div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
