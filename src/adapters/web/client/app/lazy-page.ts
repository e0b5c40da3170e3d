import { queryOptions } from '@tanstack/react-query';
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import { ApiError, send } from '#console/api/http.ts';
import { keepDraft, readDraft } from './drafts.ts';

/** If the server answers but a file is missing, the router reloads the console, because it is outdated. */
export function lazyPage<Modules extends Record<string, unknown>, Name extends keyof Modules & string>(
  load: () => Promise<Modules>,
  name: Name,
): AsyncRouteComponent<Record<never, never>> {
  return lazyRouteComponent(
    () => loadFrom(load) as Promise<Record<string, never>>,
    name,
  ) as AsyncRouteComponent<Record<never, never>>;
}

/** A part of a page, loaded when first shown. Unlike `lazy` of React, it loads again after a failure. */
export const partQuery = <Part>(name: string, load: () => Promise<Part>) =>
  queryOptions({
    queryKey: ['part', name],
    queryFn: () => loadPart(name, load),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Reloads the console in the same cases as `lazyPage`. */
export async function loadPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  const key = `reloaded:${name}`;
  try {
    const part = await loadFrom(load);
    keepDraft(key, '');
    return part;
  } catch (error) {
    // If one reload did not help, the file is missing for good.
    if (error instanceof ApiError || readDraft(key) !== '') throw error;
    keepDraft(key, 'yes');
    window.location.reload();
    return new Promise(() => {});
  }
}

/** Throws `ApiError` while the server is away, because a reload would leave only the browser's error page. */
async function loadFrom<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    await send('/healthz', {});
    // The browser remembers a file that it could not fetch, so only a reload fetches it again.
    throw error;
  }
}
