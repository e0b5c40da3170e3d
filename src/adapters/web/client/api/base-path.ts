/** The path of the service without a trailing slash. Pure, or the words of all areas would load with the first page. */
export const BASE_PATH: string = /* @__PURE__ */ readBasePath();

function readBasePath(): string {
  // Unit tests have no document.
  const named = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]');
  return named?.content.replace(/\/$/, '') ?? '';
}
