import { useSyncExternalStore } from 'react';
import { PLACES, type PlacePath } from '#adapters/web/places.ts';
import { product } from './words/shared.ts';

interface PageTitle {
  readonly path: string;
  readonly title: string;
}

let current: PageTitle = { path: '', title: '' };
const listeners = new Set<() => void>();

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

interface PlaceOnTheWay {
  readonly path: PlacePath;
  readonly title: string;
}

/** Without the dashboard, which is above every page. */
export function placesTo(path: string): readonly PlaceOnTheWay[] {
  const above = PLACES.filter(
    (place) => place.path !== '/' && (path === place.path || path.startsWith(`${place.path}/`)),
  );
  const isKnown = above.some((place) => place.path === path);
  const one = PLACES.find(({ path: known }) => known.includes(':') && isOneOf(known, path));
  return isKnown || one === undefined ? above : [...above, one];
}

function isOneOf(pattern: string, path: string): boolean {
  const list = pattern.replace(/:id$/, '');
  return path.startsWith(list) && path.length > list.length && !path.slice(list.length).includes('/');
}
