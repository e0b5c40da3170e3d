/** Every presenter lists every field, so that a new one is never exposed by accident. */
import type {
  ExplainedFilter,
  ExplainedNode as NodeFacts,
} from '#application/filters/evaluate/run-explain.ts';
import type { Preview as PreviewFacts } from '#application/filters/evaluate/run-preview.ts';
import type { NamedFilter, NamedVersion } from '#application/filters/saved/name-creator.ts';
import type { ParsedText as TextFacts } from '#application/filters/text/check-text.ts';
import type { TextCompletion } from '#application/filters/text/complete-text.ts';
import type { DeviceAtNode } from '#application/ports/filters/filter-explainer.ts';
import type { CatalogEntry } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionNode } from '#domain/filter/conditions/condition.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import { jsonText } from '#domain/text/json-text.ts';
import type {
  Completion,
  ExplainedNode,
  Explanation,
  FilterVersion,
  FormattedText,
  ListedField,
  ParsedText,
  Preview,
  SavedFilter,
} from './filter-shapes.ts';

/** Inserts the conditions as stored text, so they stay exactly as sent, and deep nesting causes no recursion. */
export function presentFilter(filter: NamedFilter): string {
  const { id, orgId, partnerId, name, description, conditionsJson, createdBy } = filter;
  const head = { id, orgId, partnerId, name, description } satisfies Partial<SavedFilter>;
  const tail: Omit<SavedFilter, keyof typeof head | 'conditions'> = {
    createdBy,
    creator: filter.creatorName === null ? null : { id: createdBy, name: filter.creatorName },
    createdAt: printInstant(filter.createdAt),
    updatedAt: printInstant(filter.updatedAt),
  };
  return `${JSON.stringify(head).slice(0, -1)},"conditions":${conditionsJson},${JSON.stringify(tail).slice(1)}`;
}

/** Yields pieces, because a list can exceed the maximum length of a string. */
export async function* presentFilters(filters: AsyncIterable<NamedFilter>): AsyncGenerator<string> {
  let total = 0;
  yield '{"data":[';
  for await (const filter of filters) {
    yield total === 0 ? presentFilter(filter) : `,${presentFilter(filter)}`;
    total += 1;
  }
  yield `],"total":${total}}`;
}

export async function* presentVersions(versions: AsyncIterable<NamedVersion>): AsyncGenerator<string> {
  let separator = '';
  yield '{"data":[';
  for await (const { version, at, name, description, conditionsJson, changedBy, changerName } of versions) {
    const by = changedBy === null || changerName === null ? null : { id: changedBy, name: changerName };
    const head = { version, at: printInstant(at), by, name, description } satisfies Partial<FilterVersion>;
    yield `${separator}${JSON.stringify(head).slice(0, -1)},"conditions":${conditionsJson}}`;
    separator = ',';
  }
  yield ']}';
}

export function presentPreview({ totalCount, devices, evaluatedAt }: PreviewFacts): string {
  return JSON.stringify({
    data: {
      totalCount,
      devices: devices.map(({ id, hostname, displayName, osType, status, lastSeenAt }) => ({
        id,
        hostname,
        displayName,
        osType,
        status,
        lastSeenAt: printInstantOrNull(lastSeenAt),
      })),
      evaluatedAt: printInstant(evaluatedAt),
    } satisfies Preview,
  });
}

export function presentFields(entries: readonly CatalogEntry[]): string {
  return JSON.stringify({ data: entries.map(toField) });
}

function toField(entry: CatalogEntry): ListedField {
  if (entry.kind === 'ambiguous') {
    return { key: entry.key, label: entry.label, category: 'custom', operators: [], ambiguous: true };
  }
  const { key, label, category, type, operators, values, description } = entry.field;
  return {
    key,
    label,
    category,
    type,
    operators,
    ...(values !== null && { values }),
    ...(description !== null && { description }),
  };
}

export function presentParsedText({ conditions, q }: TextFacts): string {
  return jsonText({ data: { conditions, q } satisfies ParsedText });
}

export function presentText(q: string): string {
  return JSON.stringify({ data: { q } satisfies FormattedText });
}

export function presentCompletion({ from, to, items }: TextCompletion): string {
  const shown = items.map(({ insert, label, description }) => ({ insert, label, description }));
  return JSON.stringify({ data: { from, to, items: shown } satisfies Completion });
}

export function presentExplanation(explained: ExplainedFilter): string {
  const { evaluatedAt, deviceCount, totalCount, sampledCount, nodes } = explained;
  const data = {
    evaluatedAt: printInstant(evaluatedAt),
    deviceCount,
    totalCount,
    ...(sampledCount !== null && { sample: { devices: sampledCount, of: deviceCount } }),
    nodes: nodes.map(toNode),
  };
  return JSON.stringify({ data: data satisfies Explanation });
}

function toNode({ node, path, count, countWithout, device }: NodeFacts): ExplainedNode {
  return {
    path,
    operator: node.operator,
    ...(node.kind === 'condition' && { field: node.field.key }),
    count,
    ...(countWithout !== null && { countWithout }),
    ...(device !== null && { device: toDevice(node, device) }),
  };
}

function toDevice(
  node: ConditionNode,
  { matches, actual }: DeviceAtNode,
): NonNullable<ExplainedNode['device']> {
  if (node.kind === 'group') return { matches };
  const isInstant = node.field.type === 'datetime' && typeof actual === 'number';
  return { matches, actual: isInstant ? printInstant(actual) : actual };
}
