/** A catalog with awkward custom fields, and texts read with it. */
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import { newId } from '#test/support/builders.ts';

const OWNER = { owner: 'organization', orgIds: [newId<'organization'>()], choices: [] } as const;

export const TEXT_CATALOG = buildCatalog(
  resolveCustomFields([
    {
      ...OWNER,
      key: 'ring',
      label: 'Ring',
      type: 'dropdown',
      choices: ['alpha', 'beta', 'none', 'a,b', '>5'],
    },
    { ...OWNER, key: 'due', label: 'Due', type: 'date' },
    { ...OWNER, key: 'seats', label: 'Seats', type: 'number' },
    { ...OWNER, key: 'vip', label: 'VIP', type: 'boolean' },
    { ...OWNER, key: 'note', label: 'Note', type: 'text' },
    { ...OWNER, key: 'mixed', label: 'Mixed', type: 'text' },
    { ...OWNER, key: 'mixed', label: 'Mixed', type: 'number', orgIds: [newId()] },
  ]),
);

export const ACME_IDS = [newId<'organization'>(), newId<'organization'>()] as const;
export const SITE_ID = newId<'site'>();

/** Two organizations are named Acme, Inc.; one site is named Lab. */
export function resolveTestName({ key }: { readonly key: string }, name: string): readonly string[] {
  const lower = name.toLowerCase();
  if (key === 'orgId') return lower === 'acme, inc.' ? ACME_IDS : [];
  return lower === 'lab' ? [SITE_ID] : [];
}

/** The conditions of the text; throws if the text is refused. */
export function readText(text: string): ConditionJson {
  const parsed = parseFilterText(text, TEXT_CATALOG, resolveTestName);
  if (!parsed.ok) throw new Error(`${text} is refused: ${JSON.stringify(parsed.error)}`);
  return parsed.value;
}

/** The code of each fault and the text at its position; empty if the text is good. */
export function textFaults(text: string): readonly (readonly [code: string, at: string])[] {
  const parsed = parseFilterText(text, TEXT_CATALOG, resolveTestName);
  return parsed.ok ? [] : parsed.error.map(({ code, start, end }) => [code, text.slice(start, end)]);
}
