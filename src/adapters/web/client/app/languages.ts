/** The reader's languages. Pure, as in `format.ts`. */
export const LANGUAGES = /* @__PURE__ */ readLanguages();

/** Chromium on Linux may name `en-US@posix`, which `Intl` refuses. */
function readLanguages(): string[] {
  return navigator.languages.filter((tag) => /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag));
}
