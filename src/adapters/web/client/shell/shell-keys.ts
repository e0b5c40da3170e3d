import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PLACES } from '#adapters/web/places.ts';
import { getPreferences, type Preferences, setPreferences } from '#console/app/stored-preferences.ts';
import { words } from '#console/app/words.ts';
import { listenToKeys, useKeys } from '#console/keys/registry.ts';

export interface ShellActions {
  readonly openPalette: () => void;
  readonly openCard: () => void;
  readonly toggleHelp: () => void;
  readonly closeHelp: () => void;
}

export function useShellKeys({ openPalette, openCard, toggleHelp, closeHelp }: ShellActions): void {
  const navigate = useNavigate();
  useEffect(listenToKeys, []);
  const places = PLACES.filter((place) => 'chord' in place).map(({ path, title, chord }) => ({
    keys: `g ${chord}`,
    title,
    run: () => void navigate({ to: path as '/' }),
  }));
  useKeys(words.keys.goTo, places, true);
  const anywhere = [
    { keys: 'mod+k', title: words.keys.palette, worksInFields: true, run: openPalette },
    { keys: '/', title: words.keys.search, run: openPalette },
    { keys: '[', title: words.keys.sidebar, run: cycleSidebar },
    { keys: '?', title: words.keys.card, run: openCard },
    { keys: 'mod+shift+h', title: words.keys.help, run: toggleHelp },
    { keys: 'Escape', title: words.keys.leave, run: closeHelp },
  ];
  useKeys(words.keys.anywhere, anywhere, true);
}

const MODES = ['open', 'auto-hide', 'icons'] as const satisfies readonly Preferences['sidebar'][];

export function cycleSidebar(): void {
  const { sidebar } = getPreferences();
  setPreferences({ sidebar: MODES[(MODES.indexOf(sidebar) + 1) % MODES.length] ?? 'open' });
}
