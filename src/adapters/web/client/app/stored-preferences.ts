import { makeStore } from './store.ts';

/** Kept in this browser. Free of React, because the account deletion page uses them. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly sidebar: 'open' | 'auto-hide' | 'icons';
  /** Whether shortcuts without Ctrl or Cmd work, such as `g d`. WCAG 2.1.4 requires a switch. */
  readonly hasSingleKeys: boolean;
  readonly density: 'comfortable' | 'compact';
}

const DEFAULTS: Preferences = {
  theme: 'system',
  sidebar: 'open',
  hasSingleKeys: true,
  density: 'comfortable',
};

const KEY = 'fleetsift.preferences';

const preferences = makeStore(read());

export const getPreferences = preferences.get;
export const subscribe = preferences.subscribe;

window.addEventListener('storage', ({ key }) => {
  if (key === KEY) preferences.set(read());
});

export function setPreferences(changes: Partial<Preferences>): void {
  preferences.set({ ...getPreferences(), ...changes });
  try {
    localStorage.setItem(KEY, JSON.stringify(getPreferences()));
  } catch {
    // Without storage, preferences last until the page is closed.
  }
}

/** The stored value may come from another version of the console. */
function read(): Preferences {
  try {
    const stored: Partial<Record<keyof Preferences, unknown>> = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return {
      theme: oneOf(stored.theme, ['system', 'light', 'dark'], DEFAULTS.theme),
      sidebar: oneOf(stored.sidebar, ['open', 'auto-hide', 'icons'], DEFAULTS.sidebar),
      hasSingleKeys: stored.hasSingleKeys !== false,
      density: oneOf(stored.density, ['comfortable', 'compact'], DEFAULTS.density),
    };
  } catch {
    return DEFAULTS;
  }
}

function oneOf<T>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.find((one) => one === value) ?? fallback;
}

export function followTheme(): void {
  const apply = () => {
    const { theme } = getPreferences();
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  apply();
  subscribe(apply);
}
