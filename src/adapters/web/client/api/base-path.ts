/**
 * The path below which the service is found, without a trailing slash; empty at the root of its origin. The call is
 * marked as pure: otherwise the words of all areas would load with the first page.
 */
export const BASE_PATH: string = /* @__PURE__ */ readBasePath();

function readBasePath(): string {
  // Unit tests have no document.
  const named = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]');
  return named?.content.replace(/\/$/, '') ?? '';
}
