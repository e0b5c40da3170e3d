import { Link, useRouterState } from '@tanstack/react-router';
import { PLACES } from '#adapters/web/places.ts';
import styles from './breadcrumbs.module.css';

/** Where one is, and the way up. The page itself is named by its heading. */
export function Breadcrumbs() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const steps = stepsTo(path);
  if (steps.length === 0) return null;
  return (
    <nav aria-label="Breadcrumbs" className={styles.breadcrumbs}>
      <ol>
        {steps.map(({ to, title }) => (
          <li key={to}>
            <Link to={to as '/'} {...(to === path && { 'aria-current': 'page' as const })}>
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The places whose address begins this one's, from the outermost; without the dashboard, which begins all. */
function stepsTo(path: string): readonly { readonly to: string; readonly title: string }[] {
  return PLACES.flatMap((place) => {
    const isStep = place.path !== '/' && (path === place.path || path.startsWith(`${place.path}/`));
    return isStep ? [{ to: place.path, title: place.title }] : [];
  });
}
