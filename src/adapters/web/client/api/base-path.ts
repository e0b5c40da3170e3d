/**
 * Has no trailing slash. Without `@__PURE__`, the bundler would put the words of all areas into the first
 * page's files.
 */
export const BASE_PATH: string = /* @__PURE__ */ readBasePath();

function readBasePath(): string {
  // Unit tests have no document.
  const named = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]');
  return named?.content.replace(/\/$/, '') ?? '';
}
