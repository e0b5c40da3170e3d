import { PLACES, type PlacePath } from '#adapters/web/places.ts';

export interface PlaceOnTheWay {
  /** With `:id` where an id stands. */
  readonly path: PlacePath;
  readonly title: string;
}

/** The places that lead to this path, itself last; without the dashboard, which leads to all. */
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
