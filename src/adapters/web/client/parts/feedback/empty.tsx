import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  /** What would fill it. */
  readonly text: ReactNode;
  /** The way to that. */
  readonly children?: ReactNode;
}

/** Where a list has nothing in it. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      <div className={styles.text}>{text}</div>
      {children}
    </div>
  );
}

interface NotAllowedProps {
  /** Of the page that is not shown. */
  readonly title: string;
  /** What would be needed, and from whom. */
  readonly text: string;
}

/** Instead of a page that somebody has no access to. */
export function NotAllowed({ title, text }: NotAllowedProps) {
  return (
    <Page title={title}>
      <Empty title={words.notAllowedTitle} text={text}>
        <Link to="/">{words.toDashboard}</Link>
      </Empty>
    </Page>
  );
}
