import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { Header, Separator } from 'react-aria-components';
import { ACCOUNT_DELETION_PATH, PLACES } from '#adapters/web/places.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import { type Preferences, setPreferences, usePreferences } from '#console/app/preferences.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Menu, MenuItem, MenuSection } from '#console/parts/actions/menu.tsx';
import styles from './user-menu.module.css';

const SETTINGS = PLACES.filter((place) => 'section' in place && place.section === 'settings');

const THEMES = ['system', 'light', 'dark'] as const satisfies readonly Preferences['theme'][];

export interface UserMenuItemsProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  readonly onSignOut: () => void;
}

export function UserMenuItems({ button, onClose, onSignOut }: UserMenuItemsProps) {
  const user = useUser();
  const { theme } = usePreferences();
  const navigate = useNavigate();
  return (
    <Menu
      placement="bottom end"
      triggerRef={button}
      isOpen
      onOpenChange={onClose}
      onClose={onClose}
      autoFocus="first"
      aria-label={user.name}
    >
      <MenuSection>
        <Header className={styles.who}>
          <strong>{user.name}</strong>
          <span>{user.email}</span>
          <span>{words.shell.scopes[user.scope]}</span>
        </Header>
        {SETTINGS.map(({ path, title }) => (
          <MenuItem key={path} onAction={() => void navigate({ to: path as '/' })}>
            {title}
          </MenuItem>
        ))}
      </MenuSection>
      <Separator />
      <MenuSection
        selectionMode="single"
        selectedKeys={[theme]}
        onSelectionChange={(keys) => {
          const [chosen] = keys === 'all' ? [] : keys;
          setPreferences({ theme: THEMES.find((one) => one === chosen) ?? theme });
        }}
      >
        <Header className={styles.title}>{words.shell.theme}</Header>
        {THEMES.map((one) => (
          <MenuItem key={one} id={one}>
            {words.shell.themes[one]}
          </MenuItem>
        ))}
      </MenuSection>
      <Separator />
      <MenuSection>
        <MenuItem href={`${BASE_PATH}${ACCOUNT_DELETION_PATH}`}>{words.shell.deleteAccount}</MenuItem>
        <MenuItem onAction={onSignOut}>{words.shell.signOut}</MenuItem>
      </MenuSection>
    </Menu>
  );
}
