import { Link, useRouterState } from '@tanstack/react-router';
import { usePageTitle } from '#console/app/page-title.ts';
import { placesTo } from '#console/app/places-to.ts';
import { words } from '#console/app/words.ts';
import styles from './breadcrumbs.module.css';

/** Where one is, and the way up. What has a name of its own, such as a device, is called by it once it is known. */
export function Breadcrumbs() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = usePageTitle();
  const steps = placesTo(path).map((place) => {
    if (!place.path.includes(':')) return { to: place.path, title: place.title };
    return { to: path, title: shown.path === path ? shown.title : place.title };
  });
  if (steps.length === 0) return null;
  return (
    <nav aria-label={words.shell.breadcrumbs} className={styles.breadcrumbs}>
      <ol>
        {steps.map(({ to, title }) => (
          <li key={to}>
            <Link
              to={to as '/'}
              dir="auto"
              title={title}
              {...(to === path && { 'aria-current': 'page' as const })}
            >
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
