import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isAway } from '#console/api/http.ts';
import { placesTo, usePageTitle } from '#console/app/page-title.ts';
import { words } from '#console/app/words.ts';
import { ShowKeys } from '#console/keys/show-keys.tsx';
import { Button, type ButtonProps } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { setLostConnection, useLostConnection, useServerReturn } from '#console/parts/feedback/connection.ts';
import styles from './banner.module.css';
import { UserMenu } from './user/user-menu.tsx';

export interface BannerProps {
  readonly onDraw: () => void;
  readonly searchProps: ButtonProps;
  readonly helpProps: ButtonProps;
  readonly onSignOut: () => void;
}

export function Banner({ onDraw, searchProps, helpProps, onSignOut }: BannerProps) {
  return (
    <header className={styles.banner}>
      <Button kind="quiet" aria-label={words.shell.menu} className={styles.draw} onPress={onDraw}>
        <Icon name="menu" />
      </Button>
      <Breadcrumbs />
      <div className={styles.actions}>
        <Button className={styles.search} aria-haspopup="dialog" {...searchProps}>
          <Icon name="search" />
          <span className={styles.searchText}>
            {words.shell.search}
            <span aria-hidden="true">{words.shell.searchRest}</span>
          </span>
          <span className={styles.searchKeys} aria-hidden="true">
            <ShowKeys keys="mod+k" />
          </span>
        </Button>
        <Button kind="quiet" aria-label={words.shell.help} {...helpProps}>
          <Icon name="help" />
        </Button>
        <UserMenu onSignOut={onSignOut} />
      </div>
      <LoadingLine />
    </header>
  );
}

/** Devices and filters appear by name. */
function Breadcrumbs() {
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

function LoadingLine() {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' });
  return isPending && <div className={styles.line} aria-hidden="true" />;
}

/** Shown while the server is away. Repeats all failed requests when it answers again. */
export function ConnectionLine() {
  const queries = useQueryClient();
  const isLost = useLostConnection();

  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        // Only new errors count, because a query that is being retried still holds its last error.
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        if (isAway(event.action.error)) setLostConnection(true);
      }),
    [queries],
  );

  const resume = useCallback(() => {
    setLostConnection(false);
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => isAway(state.error) });
  }, [queries]);
  useServerReturn(isLost, resume);

  return (
    <div role="status" className={styles.connection} data-lost={isLost || undefined}>
      {isLost ? words.offline : ''}
    </div>
  );
}
