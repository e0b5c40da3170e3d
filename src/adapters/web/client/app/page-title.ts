/** What the page is called that is shown, for what stands around it: the browser's tab, breadcrumbs, recents. */
import { useSyncExternalStore } from 'react';
import { placesTo } from './places-to.ts';
import { product } from './words/shared.ts';

interface PageTitle {
  readonly path: string;
  readonly title: string;
}

let current: PageTitle = { path: '', title: '' };
const listeners = new Set<() => void>();

/** The page at this path is called so; the tab also says what it is a part of. */
export function announceTitle(path: string, title: string): void {
  const above = placesTo(path).filter((place) => place.path !== path && !place.path.includes(':'));
  document.title = [title, ...above.map((place) => place.title).reverse(), product].join(' · ');
  if (current.path === path && current.title === title) return;
  current = { path, title };
  for (const listener of listeners) listener();
}

export function getPageTitle(): PageTitle {
  return current;
}

export function subscribeToTitle(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePageTitle(): PageTitle {
  return useSyncExternalStore(subscribeToTitle, getPageTitle);
}
