import { useSyncExternalStore } from 'react';
import { PLACES, type PlacePath } from '#adapters/web/places.ts';
import { makeStore } from './store.ts';
import { product } from './words/shared.ts';

interface PageTitle {
  readonly path: string;
  readonly title: string;
}

const shown = makeStore<PageTitle>({ path: '', title: '' });

export const getPageTitle = shown.get;
export const subscribeToTitle = shown.subscribe;

export function announceTitle(path: string, title: string): void {
  const above = placesTo(path).filter((place) => place.path !== path && !place.path.includes(':'));
  document.title = [title, ...above.map((place) => place.title).reverse(), product].join(' · ');
  const current = shown.get();
  if (current.path !== path || current.title !== title) shown.set({ path, title });
}

export function usePageTitle(): PageTitle {
  return useSyncExternalStore(shown.subscribe, shown.get);
}

interface PlaceOnTheWay {
  readonly path: PlacePath;
  readonly title: string;
}

/** The places above a page and the page itself, without the dashboard. */
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
