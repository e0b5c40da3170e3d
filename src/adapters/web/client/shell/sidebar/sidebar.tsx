import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePreferences } from '#console/app/preferences.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { OrganizationSwitcher } from '#console/shell/organization/organization-switcher.tsx';
import { administrationItems, MAIN_ITEMS, type NavigationItem } from './navigation.ts';
import { PendingBadge } from './pending-badge.tsx';
import styles from './sidebar.module.css';

export interface SidebarProps {
  /** On narrow screens, where it lies over the page. */
  readonly isDrawn: boolean;
  readonly onLeave: () => void;
}

/** The way to every place, in one of three modes (Spec: Web client behaviors). */
export function Sidebar({ isDrawn, onLeave }: SidebarProps) {
  const { sidebar: mode } = usePreferences();
  const [isReached, setIsReached] = useState(false);
  const user = useUser();
  const administration = administrationItems(user);
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
          <img src="/icon.svg" alt="" width="20" height="20" />
          <span>{words.product}</span>
        </p>
        <OrganizationSwitcher isSlim={isSlim && mode === 'icons'} />
        <Items items={MAIN_ITEMS} onLeave={onLeave} isSlim={isSlim} />
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
