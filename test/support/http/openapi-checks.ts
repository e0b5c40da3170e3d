/** Checks by the OpenAPI document, but stricter: answers may have no member that the document does not name. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { makeOpenApiDocument } from '#adapters/http/openapi/openapi-document.ts';

export interface OpenApiChecks {
  /** Finds an operation; the method is in lower case. Null if no route of the document has the path. */
  find(method: string, pathname: string): ShownOperation | null;
  /** Throws unless the body is a problem document. */
  checkProblem(name: string, body: unknown): void;
}

/** Each check throws with `name` and the difference. An undefined body is not checked. */
export interface ShownOperation {
  checkBody(name: string, body: unknown): void;
  checkAnswer(name: string, response: Pick<Response, 'status' | 'headers'>, body: unknown): void;
}

interface ShownHeader {
  readonly schema: object;
}

interface Shown {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly content?: Content; readonly headers: Readonly<Record<string, object>> }>
  >;
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

let checks: OpenApiChecks | undefined;

/** The same checks for all tests, because compiling them is slow. */
export function openApiChecks(): OpenApiChecks {
  checks ??= makeChecks();
  return checks;
}

function makeChecks(): OpenApiChecks {
  const document = strict(makeOpenApiDocument('0.0.0', '')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Shown>>>>;
    readonly components: { readonly headers: Readonly<Record<string, ShownHeader>> };
  };
  const checkAnswerBy = makeCheckBy(document, { validateFormats: true });
  // An ignored member may have any value.
  const checkBodyBy = makeCheckBy(document, { validateFormats: false });
  const routes = Object.entries(document.paths)
    .map(([path, methods]) => ({ path, methods, pattern: toPattern(path) }))
    // As in the router, a path with a fixed word takes precedence over a path with an id.
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

  const toOperation = (path: string, method: string, shown: Shown): ShownOperation => {
    const at = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`;
    return {
      checkBody: (name, body) => {
        if (shown.requestBody === undefined) return;
        checkBodyBy(`${at}/requestBody/content/application~1json/schema`, `The body of ${name}`, body);
      },
      checkAnswer: (name, { status, headers }, body) => {
        const answer = shown.responses[status];
        if (answer === undefined)
          throw new Error(`${name} is no answer of the document: ${JSON.stringify(body)}`);
        const mediaType = headers.get('content-type')?.split(';')[0] ?? null;
        const types = Object.keys(answer.content ?? {});
        if (mediaType === null ? types.length > 0 : !types.includes(mediaType)) {
          throw new Error(`${name} is ${mediaType}; the document has ${types.join(', ') || 'no body'}`);
        }
        for (const header of Object.keys(answer.headers)) {
          const value = headers.get(header);
          // Some headers are only in some of the answers of a status.
          if (value === null && header === 'X-Request-Id') throw new Error(`${name} has no ${header}`);
          if (value === null) continue;
          const sent = header === 'Retry-After' ? Number(value) : value;
          checkAnswerBy(`/components/headers/${header}/schema`, `${header} of ${name}`, sent);
        }
        if (mediaType === null || body === undefined) return;
        const type = mediaType.replaceAll('/', '~1').replaceAll('+', '%2B');
        checkAnswerBy(`${at}/responses/${status}/content/${type}/schema`, name, body);
      },
    };
  };

  return {
    find: (method, pathname) => {
      const route = routes.find(({ pattern, methods }) => pattern.test(pathname) && method in methods);
      const shadow = routes.find(({ pattern }) => pattern.test(pathname));
      // A fixed word that has only other methods is not an id.
      if (route === undefined || route !== shadow) return null;
      const shown = route.methods[method];
      return shown === undefined ? null : toOperation(route.path, method, shown);
    },
    checkProblem: (name, body) => {
      if (body !== undefined) checkAnswerBy('/components/schemas/Problem', name, body);
    },
  };
}

/** Throws unless the schema at the pointer accepts the value. */
type CheckBy = (pointer: string, name: string, value: unknown) => void;

function makeCheckBy(document: object, options: { readonly validateFormats: boolean }): CheckBy {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, ...options });
  addFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT, ...document });
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, name, value) => {
    let validate = compiled.get(pointer);
    validate ??= ajv.compile({ $ref: `${DOCUMENT}#${pointer}` });
    compiled.set(pointer, validate);
    if (validate(value)) return;
    const why = ajv.errorsText(validate.errors);
    const shown = JSON.stringify(value)?.slice(0, 2_000);
    throw new Error(`${name} is not as the document has it: ${why}; it is ${shown}`);
  };
}

const DOCUMENT = 'https://fleetsift.invalid/openapi.json';

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** Closes every object schema that does not say whether it is open, except in request bodies. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === 'requestBody' ? member : strict(member)]),
  );
  const isObject = members.type === 'object' && members.properties !== undefined;
  return isObject && !('additionalProperties' in members)
    ? { ...members, additionalProperties: false }
    : members;
}
