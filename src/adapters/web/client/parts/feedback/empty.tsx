import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  /** What would fill the list. */
  readonly text: ReactNode;
  readonly children?: ReactNode;
}

/** An empty list. */
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
  readonly title: string;
  /** Which permission is missing, and who grants it. */
  readonly text: string;
}

/** Shown instead of a page without access. */
export function NotAllowed({ title, text }: NotAllowedProps) {
  return (
    <Page title={title}>
      <Empty title={words.notAllowedTitle} text={text}>
        <Link to="/">{words.toDashboard}</Link>
      </Empty>
    </Page>
  );
}
