import { useSyncExternalStore } from 'react';
import { getPreferences, type Preferences, subscribe } from './stored-preferences.ts';

export { type Preferences, setPreferences } from './stored-preferences.ts';

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, getPreferences);
}
