import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { BASE_PATH } from '#console/api/base-path.ts';
import { words } from '#console/app/words.ts';
import styles from './page.module.css';

export interface LonePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page without the shell, such as sign-in. */
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
      <Help />
    </main>
  );
}

function Help() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [paragraphs, setParagraphs] = useState<readonly string[]>([]);
  const load = () =>
    import('#console/help/help-pages.ts').then(
      ({ helpFor }) => setParagraphs(helpFor(path).paragraphs),
      () => setParagraphs([words.help.unloaded]),
    );
  return (
    <details className={styles.help} onToggle={() => void load()}>
      <summary>{words.shell.help}</summary>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </details>
  );
}
