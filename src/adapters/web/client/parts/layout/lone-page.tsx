import { type ReactNode, useEffect } from 'react';
import { BASE_PATH } from '#console/api/base-path.ts';
import { words } from '#console/app/words.ts';
import styles from './page.module.css';

export interface LonePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A narrow page outside the shell. */
export function LonePage({ title, children }: LonePageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  return (
    <main className={styles.lone}>
      <p className={styles.product}>
        <img src={`${BASE_PATH}/icon.svg`} alt="" width="24" height="24" /> {words.product}
      </p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
