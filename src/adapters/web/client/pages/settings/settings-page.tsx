import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { PLACES } from '#adapters/web/places.ts';
import { words } from '#console/app/words.ts';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './settings-page.module.css';

export interface SettingsPageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsPage({ title, actions, children }: SettingsPageProps) {
  return (
    <Page title={title} isNarrow {...(actions !== undefined && { actions })}>
      <nav aria-label={words.settings.navigation} className={styles.tabs}>
        {SETTINGS.map(({ path, title: name }) => (
          <Link key={path} to={path as '/'} activeOptions={{ includeSearch: false }} className={styles.tab}>
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
        <p className={styles.text}>{text}</p>
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
