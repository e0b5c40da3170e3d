import type { JsonSchema } from '#adapters/http/read/query-parameters.ts';
import { type Html, html, NOTHING, prose } from './html.ts';

export function schemaHtml(schema: JsonSchema): Html {
  return html`<p>${kindOf(schema)}</p>${membersOf(schema)}`;
}

/** Returns the type in words, such as `string (uuid) or null`. */
export function kindOf(schema: JsonSchema): Html {
  const { $ref, anyOf, type, format, enum: words, items, const: only } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (Array.isArray(anyOf)) {
    return html`${anyOf.map((each: JsonSchema, i) => html`${i === 0 ? '' : ' or '}${kindOf(each)}`)}`;
  }
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (Array.isArray(words)) {
    return html`one of ${words.map((word, i) => html`${i === 0 ? '' : ', '}<code>${String(word)}</code>`)}`;
  }
  if (type === 'array') return html`list of ${kindOf((items ?? {}) as JsonSchema)}`;
  const range = rangeOf(schema);
  const kind = typeof type === 'string' ? type : 'anything';
  return html`${kind}${typeof format === 'string' ? ` (${format})` : ''}${range === '' ? '' : `, ${range}`}`;
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return `${minimum} to ${maximum}`;
  return typeof minimum === 'number' ? `${minimum} or more` : '';
}

function membersOf(schema: JsonSchema): Html {
  const { properties, required, items, anyOf, additionalProperties } = schema;
  if (typeof properties === 'object' && properties !== null) {
    const names = Object.entries(properties as Record<string, JsonSchema>);
    const needed = new Set(Array.isArray(required) ? required : []);
    return html`<ul class="members">${names.map(
      ([name, member]) =>
        html`<li><code>${name}</code> <span class="soft">${needed.has(name) ? '' : 'optional, '}${kindOf(member)}</span>${
          typeof member.description === 'string' ? prose(member.description) : NOTHING
        }${membersOf(member)}</li>`,
    )}</ul>`;
  }
  if (typeof items === 'object' && items !== null) return membersOf(items as JsonSchema);
  if (Array.isArray(anyOf)) return html`${anyOf.map((each: JsonSchema) => membersOf(each))}`;
  if (typeof additionalProperties === 'object' && additionalProperties !== null) {
    return membersOf(additionalProperties as JsonSchema);
  }
  return NOTHING;
}
