/**
 * Has no trailing slash. `@__PURE__` tells the bundler that the call has no side effects. Otherwise, the first page
 * would load the texts of all areas.
 */
export const BASE_PATH: string = /* @__PURE__ */ readBasePath();

function readBasePath(): string {
  // Unit tests have no document.
  const named = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]');
  return named?.content.replace(/\/$/, '') ?? '';
}
