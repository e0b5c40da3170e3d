/**
 * The OpenAPI document as a searchable page (Contract: §15). Its Content-Security-Policy allows only its own style
 * and script, by digest.
 */
import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '#adapters/http/openapi/openapi-document.ts';
import type { JsonSchema } from '#adapters/http/read/query-parameters.ts';
import { Html, html, NOTHING, prose } from './html.ts';
import { kindOf, schemaHtml } from './schema-html.ts';

const DOCS_SCRIPT = `
const search = document.querySelector('#search');
const found = document.querySelector('#found');
const operations = [...document.querySelectorAll('section.operation')];
const texts = operations.map((operation) => operation.textContent.toLowerCase());
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  operations.forEach((operation, i) => {
    const isFound = words.every((word) => texts[i].includes(word));
    operation.hidden = !isFound;
    document.querySelector('nav a[href="#' + operation.id + '"]').parentElement.hidden = !isFound;
    if (isFound) count++;
  });
  found.textContent = count === operations.length ? '' : count + ' of ' + operations.length + ' routes';
});
const open = () => {
  const details = document.getElementById(location.hash.slice(1))?.querySelector('details');
  if (details) details.open = true;
};
addEventListener('hashchange', open);
open();
`;

const DOCS_STYLE = `
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

export const DOCS_POLICY = [
  "default-src 'none'",
  `script-src ${digestOf(DOCS_SCRIPT)}`,
  `style-src ${digestOf(DOCS_STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

interface ShownOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly object[];
  readonly parameters?: readonly ShownParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content; readonly headers: object }>
  >;
}

interface ShownParameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>;

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: ShownOperation;
}

export function printDocsPage(document: OpenApiDocument): string {
  const { info, servers, tags, paths, components } = document;
  const base = servers[0].url.replace(/\/$/, '');
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Route => ({
        method: method.toUpperCase(),
        path: `${base}${path}`,
        operation: operation as ShownOperation,
      }),
    ),
  );
  const byTag = Map.groupBy(routes, ({ operation }) => operation.tags[0] ?? '');
  const routesOf = (tag: string) => byTag.get(tag) ?? [];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fleetsift API</title>
<style>${new Html(DOCS_STYLE)}</style>
</head>
<body>
<nav aria-label="Routes">
<label for="search">Search the routes</label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<p id="found" class="soft" role="status"></p>
${tags.map(
  ({ name }) =>
    html`<h2>${name}</h2><ul>${routesOf(name).map(
      ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
    )}</ul>`,
)}
<h2>schemas</h2><ul>${Object.keys(components.schemas).map(
    (name) => html`<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul>
</nav>
<main>
<h1>${info.title} API, ${info.version}</h1>
${prose(info.description)}
<p>As an OpenAPI 3.1 document: <a href="${base}/api/v1/openapi.json">openapi.json</a></p>
${tags.map(
  ({ name, description }) =>
    html`<h2>${name}</h2>${prose(description)}${routesOf(name).map((route) => routeHtml(route))}`,
)}
<h2>schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) =>
    html`<section id="schema-${name}"><h3>${name}</h3>${schemaHtml(schema as JsonSchema)}</section>`,
)}
</main>
<script>${new Html(DOCS_SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

function routeHtml({ method, path, operation }: Route): Html {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation;
  return html`<section class="operation" id="${operationId}"><details>
<summary><h3><span class="method">${method}</span> <code>${path}</code></h3> ${summary}</summary>
${description === undefined ? NOTHING : prose(description)}
<p class="soft">${security.length === 0 ? 'Needs no credential.' : `Credential: ${security.map((each) => Object.keys(each).join(' and ')).join(', or ')}.`}</p>
${parameters.length === 0 ? NOTHING : html`<h4>Parameters</h4><ul class="members">${parameters.map((each) => parameterHtml(each))}</ul>`}
${requestBody === undefined ? NOTHING : html`<h4>Body${requestBody.required ? '' : ', optional'}</h4>${contentHtml(requestBody.content)}`}
${Object.entries(responses).map(([status, { description: said, content = {} }]) =>
  Number(status) < 400
    ? html`<h4>${status}</h4>${prose(said)}${contentHtml(content)}`
    : html`<h4>${status}</h4>${prose(said)}`,
)}
</details></section>
`;
}

function parameterHtml({ name, in: place, description, required, schema, example }: ShownParameter): Html {
  return html`<li><code>${name}</code> <span class="soft">${place}, ${required ? 'required' : 'optional'}, ${kindOf(schema)}${
    schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`
  }</span>${description === undefined ? NOTHING : prose(description)}${
    example === undefined ? NOTHING : html`<p>Example: <code>${String(example)}</code></p>`
  }</li>`;
}

function contentHtml(content: Content): Html {
  const shown = Object.entries(content).filter(([mediaType]) => mediaType !== 'application/problem+json');
  return html`${shown.map(
    ([mediaType, { schema, example }]) =>
      html`<p class="soft">${mediaType}</p>${schema === undefined ? NOTHING : schemaHtml(schema)}${
        example === undefined ? NOTHING : html`<pre tabindex="0">${printExample(example)}</pre>`
      }`,
  )}`;
}

function printExample(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}
