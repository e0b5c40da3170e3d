import { useNavigate } from '@tanstack/react-router';
import { Header, MenuTrigger, Separator } from 'react-aria-components';
import { type Preferences, setPreferences, usePreferences } from '#console/app/preferences.ts';
import { useServices } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/button.tsx';
import { Menu, MenuItem, MenuSection } from '#console/parts/menu.tsx';
import styles from './user-menu.module.css';

const THEMES = ['system', 'light', 'dark'] as const satisfies readonly Preferences['theme'][];

/** Who is signed in, and what they can do about it. The button is named after them. */
export function UserMenu() {
  const user = useUser();
  const { session } = useServices();
  const { theme } = usePreferences();
  const navigate = useNavigate();
  return (
    <MenuTrigger>
      <Button kind="quiet" aria-label={user.name} className={styles.button}>
        <span aria-hidden="true">{initialsOf(user.name)}</span>
      </Button>
      <Menu placement="bottom end">
        <MenuSection>
          <Header className={styles.who}>
            <strong>{user.name}</strong>
            <span>{user.email}</span>
            <span>{words.shell.scopes[user.scope]}</span>
          </Header>
          <MenuItem onAction={() => void navigate({ to: '/settings/profile' as '/' })}>
            {words.shell.profile}
          </MenuItem>
          <MenuItem onAction={() => void navigate({ to: '/settings/security' as '/' })}>
            {words.shell.security}
          </MenuItem>
          <MenuItem onAction={() => void navigate({ to: '/settings/api-keys' as '/' })}>
            {words.shell.apiKeys}
          </MenuItem>
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
          <MenuItem href="/account/delete">{words.shell.deleteAccount}</MenuItem>
          <MenuItem onAction={() => void session.signOut().then(() => navigate({ to: '/login' }))}>
            {words.shell.signOut}
          </MenuItem>
        </MenuSection>
      </Menu>
    </MenuTrigger>
  );
}

function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  return [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
    .map((part) => [...(part ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
