/** Light or dark, by the system or by choice. */
import { getPreferences, subscribe } from './stored-preferences.ts';

export function followTheme(): void {
  const apply = () => {
    const { theme } = getPreferences();
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  apply();
  subscribe(apply);
}
