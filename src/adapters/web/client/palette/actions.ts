import { type HostPages, PLACES } from '#adapters/web/places.ts';
import { isOffered } from '#console/api/host-pages.ts';
import { type Preferences, setPreferences } from '#console/app/preferences.ts';
import { words } from '#console/app/words.ts';
import { cycleSidebar } from '#console/shell/shell-keys.ts';
import { DEVICES_WRITE, USERS_WRITE } from '#domain/access/permission.ts';
import { iconOfPage, type Row } from './found-rows.ts';

export interface ActionsOfShell {
  readonly openCard: () => void;
  readonly toggleHelp: () => void;
  readonly signOut: () => void;
}

const EXPORT: Row['target'] = { to: '/devices', search: { dialog: 'export' }, keepsSearch: true };

const THEMES = ['light', 'dark', 'system'] as const satisfies readonly Preferences['theme'][];

export function quickActions(
  shell: ActionsOfShell,
  { theme }: Pick<Preferences, 'theme'>,
  permissions: readonly string[],
): readonly Row[] {
  const { actions } = words.palette;
  const addMachine: Row = {
    id: 'add-machine',
    icon: 'plus',
    title: actions.addMachine,
    target: { to: '/organizations', search: { add: 'machine' } },
  };
  const invite: Row = {
    id: 'invite',
    icon: 'plus',
    title: actions.invite,
    target: { to: '/people', search: { dialog: 'invite' } },
  };
  return [
    { id: 'new-filter', icon: 'plus', title: actions.newFilter, target: { to: '/filters/new' } },
    { id: 'export', icon: 'download', title: actions.exportDevices, target: EXPORT },
    ...(permissions.includes(DEVICES_WRITE) ? [addMachine] : []),
    ...(permissions.includes(USERS_WRITE) ? [invite] : []),
    { id: 'card', icon: 'help', title: actions.shortcuts, keys: '?', target: { run: shell.openCard } },
    { id: 'help', icon: 'help', title: actions.help, keys: 'mod+shift+h', target: { run: shell.toggleHelp } },
    { id: 'sidebar', icon: 'sidebar', title: actions.sidebar, keys: '[', target: { run: cycleSidebar } },
    ...THEMES.filter((one) => one !== theme).map(
      (one): Row => ({
        id: `theme-${one}`,
        icon: 'settings',
        title: actions.theme[one],
        target: { run: () => setPreferences({ theme: one }) },
      }),
    ),
    {
      id: 'page:/account/delete',
      icon: 'deletions',
      title: actions.deleteAccount,
      target: { address: '/account/delete' },
    },
    { id: 'sign-out', icon: 'external', title: actions.signOut, target: { run: shell.signOut } },
  ];
}

export function goToRows(hostPages: HostPages | undefined): readonly Row[] {
  const places = PLACES.filter((place) => isOffered(place, hostPages));
  return places
    .filter((place) => 'chord' in place)
    .map(({ path, title, chord }) => ({
      id: `page:${path}`,
      icon: iconOfPage(path),
      title: words.palette.actions.goTo(title),
      keys: `g ${chord}`,
      target: { to: path },
    }));
}
