/** Has no trailing slash. Without `@__PURE__`, the bundler would give the first page the texts of all areas. */
export const BASE_PATH: string = /* @__PURE__ */ readBasePath();

function readBasePath(): string {
  // Unit tests have no document.
  const named = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]');
  return named?.content.replace(/\/$/, '') ?? '';
}
