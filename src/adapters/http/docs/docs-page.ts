/**
 * The OpenAPI document as a page to read and to search (Contract: §15). It is one answer, made here, with a policy that
 * lets it load nothing at all: its style and its script are in it, and named by their digests.
 */
import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '#adapters/http/openapi/openapi-document.ts';
import type { JsonSchema } from '#adapters/http/read/query-parameters.ts';
import { DOCS_SCRIPT } from './docs-script.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { Html, html, NOTHING, prose } from './html.ts';
import { kindOf, schemaHtml } from './schema-html.ts';

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

/** As far as the page shows it. */
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
  const { info, tags, paths, components } = document;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Route => ({
        method: method.toUpperCase(),
        path,
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
<p>The same as OpenAPI 3.1: <a href="/api/v1/openapi.json">openapi.json</a></p>
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
<p class="soft">${security.length === 0 ? 'No credential is needed.' : `Credential: ${security.map((each) => Object.keys(each).join(' and ')).join(', or ')}.`}</p>
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
    schema.default === undefined ? '' : `, by default ${JSON.stringify(schema.default)}`
  }</span>${description === undefined ? NOTHING : prose(description)}${
    example === undefined ? NOTHING : html`<p>Such as <code>${String(example)}</code></p>`
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
