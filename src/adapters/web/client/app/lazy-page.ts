import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import { send } from '#console/api/http.ts';

/**
 * If the server answers but lacks the page's file, this console is outdated, and the router reloads it.
 * Otherwise the page shows the error, because a reload would leave only the browser's error page.
 */
export function lazyPage<Modules extends Record<string, unknown>, Name extends keyof Modules & string>(
  load: () => Promise<Modules>,
  name: Name,
): AsyncRouteComponent<Record<never, never>> {
  return lazyRouteComponent(async () => {
    try {
      return (await load()) as Record<string, never>;
    } catch (error) {
      await send('/healthz', {});
      throw error;
    }
  }, name) as AsyncRouteComponent<Record<never, never>>;
}
