/** `@__PURE__` lets bundles without formatters drop the call. */
export const LANGUAGES = /* @__PURE__ */ readLanguages();

/** Drops tags such as `en-US@posix` of Chromium on Linux, which `Intl` refuses. */
function readLanguages(): string[] {
  return navigator.languages.filter((tag) => /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag));
}
