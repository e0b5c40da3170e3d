/** How the page of the API looks: as the console does, with its colours and sizes. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(oklch(0.99 0.002 250), oklch(0.17 0.006 250));
  --side: light-dark(oklch(0.975 0.003 250), oklch(0.2 0.007 250));
  --line: light-dark(oklch(0.905 0.006 250), oklch(0.295 0.009 250));
  --line-hard: light-dark(oklch(0.65 0.01 250), oklch(0.55 0.01 250));
  --text: light-dark(oklch(0.24 0.01 250), oklch(0.95 0.004 250));
  --soft: light-dark(oklch(0.44 0.01 250), oklch(0.77 0.008 250));
  --accent: light-dark(oklch(0.505 0.1 200), oklch(0.74 0.11 195));
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 0.875rem/1.5 "Inter Variable", system-ui, sans-serif; }
body { display: grid; grid-template-columns: 300px minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 24px 16px; background: var(--side); border-right: 1px solid var(--line); }
main { max-width: 900px; padding: 24px 32px 96px; }
h1 { margin: 0 0 12px; font-size: 1.25rem; }
h2 { margin: 48px 0 4px; font-size: 1.125rem; }
h3 { margin: 0; font-size: 0.875rem; }
h4 { margin: 16px 0 4px; font-size: 0.875rem; }
nav h2 { margin: 20px 0 4px; font-size: 0.75rem; color: var(--soft); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 2px 0; color: var(--text); }
a { color: var(--accent); text-decoration: none; }
main a, a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
label { display: block; margin-bottom: 4px; color: var(--soft); }
input { width: 100%; height: 32px; padding: 0 8px; border: 1px solid var(--line-hard); border-radius: 6px; background: var(--page); color: var(--text); font: inherit; }
code, pre { font: 0.8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace; overflow-wrap: anywhere; }
pre { overflow: auto; margin: 4px 0; padding: 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--side); }
section.operation { margin-top: 12px; padding: 16px; border: 1px solid var(--line); border-radius: 10px; }
summary { cursor: pointer; }
summary h3 { display: inline; margin-right: 8px; }
.method { display: inline-block; min-width: 64px; color: var(--accent); }
.soft, .members > li > p { color: var(--soft); }
.members { margin: 0; padding-left: 16px; list-style: none; border-left: 1px solid var(--line); }
.members p, section p { margin: 2px 0 8px; }
[hidden] { display: none; }
@media (max-width: 800px) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; }
  main { padding: 16px; }
}
`;
