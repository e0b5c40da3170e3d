import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import { send } from '#console/api/http.ts';

/**
 * The component of a page, loaded when it is first opened. What is missing on a server that answers belongs to an
 * older version, and the router loads the new one. A server that does not answer is said in words instead: loading
 * the address again would leave nothing but the browser's own page.
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
