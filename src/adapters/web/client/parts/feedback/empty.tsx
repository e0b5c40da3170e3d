import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly children?: ReactNode;
}

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
  readonly text: string;
}

export function NotAllowed({ title, text }: NotAllowedProps) {
  return (
    <Page title={title}>
      <Empty title={words.notAllowedTitle} text={text}>
        <Link to="/">{words.toDashboard}</Link>
      </Empty>
    </Page>
  );
}
