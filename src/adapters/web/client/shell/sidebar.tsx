import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '#adapters/http/api-types.ts';
import { type HostPages, PLACES, type PlacePath } from '#adapters/web/places.ts';
import { pendingDeletionsQuery } from '#console/api/administration.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import { hostPagesQuery, isOffered } from '#console/api/host-pages.ts';
import { usePreferences } from '#console/app/preferences.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { formatNumber } from '#console/parts/display/format.ts';
import { Icon, type IconName, PAGE_ICONS } from '#console/parts/display/icon.tsx';
import { OrganizationSwitcher } from './organization/organization-switcher.tsx';
import styles from './sidebar.module.css';

export interface SidebarProps {
  /** True while the sidebar covers the page, on narrow screens. */
  readonly isDrawn: boolean;
  readonly onLeave: () => void;
}

export function Sidebar({ isDrawn, onLeave }: SidebarProps) {
  const { sidebar: mode } = usePreferences();
  const [isReached, setIsReached] = useState(false);
  const user = useUser();
  const administration = administrationItems(user);
  const { data: hostPages } = useQuery(hostPagesQuery);
  const isSlim = mode !== 'open' && !isReached && !isDrawn;
  return (
    <nav
      className={styles.sidebar}
      aria-label={words.shell.main}
      data-mode={mode}
      data-slim={isSlim || undefined}
      data-drawn={isDrawn || undefined}
      onPointerEnter={() => setIsReached(mode === 'auto-hide')}
      onPointerLeave={() => setIsReached(false)}
      onFocus={() => setIsReached(mode === 'auto-hide')}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsReached(false);
      }}
    >
      <div className={styles.inner}>
        <p className={styles.product}>
          <img src={`${BASE_PATH}/icon.svg`} alt="" width="20" height="20" />
          <span>{words.product}</span>
        </p>
        <OrganizationSwitcher isSlim={isSlim && mode === 'icons'} />
        <Items items={itemsOf('main', hostPages)} onLeave={onLeave} isSlim={isSlim} />
        {administration.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are links.
          <div role="group" aria-labelledby="administration-title" className={styles.group}>
            <h2 id="administration-title" className={styles.title}>
              {words.shell.administration}
            </h2>
            <Items items={administration} onLeave={onLeave} isSlim={isSlim} />
          </div>
        )}
      </div>
    </nav>
  );
}

interface ItemsProps {
  readonly items: readonly NavigationItem[];
  readonly onLeave: () => void;
  readonly isSlim: boolean;
}

function Items({ items, onLeave, isSlim }: ItemsProps) {
  return (
    <ul>
      {items.map(({ path, title, icon }) => (
        <li key={path}>
          <Link
            to={path as '/'}
            activeOptions={{ exact: path === '/', includeSearch: false }}
            className={styles.item}
            onClick={onLeave}
            {...(isSlim && { title })}
          >
            <Icon name={icon} />
            <span>{title}</span>
            {path === '/admin/account-deletion-requests' && <PendingBadge />}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Shows a question mark if the number could not be read. */
function PendingBadge() {
  const { org = null } = useSearch({ strict: false });
  const { data: count, error } = useQuery(pendingDeletionsQuery(useApi(), org));
  if (count === undefined && error !== null) {
    return (
      <strong
        role="img"
        aria-label={words.shell.waitingUnknown}
        title={words.shell.waitingUnknown}
        className={styles.unknown}
      >
        ?
      </strong>
    );
  }
  if (count === undefined || count === 0) return null;
  return (
    <strong className={styles.badge} title={words.shell.waiting(count)}>
      {formatNumber(count)}
    </strong>
  );
}

interface NavigationItem {
  readonly path: PlacePath;
  readonly title: string;
  readonly icon: IconName;
}

/** Hides links that the API would refuse (Contract: §14). */
function administrationItems(user: User): readonly NavigationItem[] {
  return itemsOf('administration', undefined).filter(({ path }) =>
    path === '/admin/account-deletion-requests' ? user.isPlatformAdmin : holds(user, 'users:write'),
  );
}

function itemsOf(
  section: 'main' | 'administration',
  hostPages: HostPages | undefined,
): readonly NavigationItem[] {
  const places = PLACES.filter((place) => 'section' in place && place.section === section);
  return places
    .filter((place) => isOffered(place, hostPages))
    .map((place) => ({
      path: place.path,
      title: place.title,
      icon: PAGE_ICONS[place.path] ?? 'dashboard',
    }));
}
