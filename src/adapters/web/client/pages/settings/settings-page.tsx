import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { PLACES } from '#adapters/web/places.ts';
import { words } from '#console/app/words.ts';
import tabs from '#console/pages/tabs.module.css';
import { Page, type PageProps } from '#console/parts/layout/page.tsx';
import styles from './settings-page.module.css';

export function SettingsPage({ children, ...page }: Pick<PageProps, 'title' | 'actions' | 'children'>) {
  return (
    <Page {...page} isNarrow>
      <nav aria-label={words.settings.navigation} className={tabs.list}>
        {SETTINGS.map(({ path, title: name }) => (
          <Link key={path} to={path} activeOptions={{ includeSearch: false }} className={tabs.tab}>
            {name}
          </Link>
        ))}
      </nav>
      <div>{children}</div>
    </Page>
  );
}

const SETTINGS = PLACES.filter((place) => 'section' in place && place.section === 'settings');

interface SectionProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="soft">{text}</p>
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
