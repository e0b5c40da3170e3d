/**
 * What host names begin with, of filters that read nothing else: the indexes in the order of pages have both spellings
 * of a host name, so that the matches are found in a range of them, without a look at their rows. PostgreSQL finds one
 * range that way by itself, but not several.
 */
import { likeLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { requiredTexts } from './required-texts.ts';

/**
 * Conditions on the device `d`, of which each match fulfils exactly one. None if the filter reads anything but host
 * names, or does not say what they begin with.
 */
export function hostnameBeginnings(root: Node<Criterion>): readonly Sql[] {
  const members = root.kind === 'group' && root.operator === 'AND' ? root.conditions : [root];
  if (!members.every(isOfHostname)) return [];
  const beginnings = members.map(beginningsOf).find((texts) => texts.length > 0) ?? [];
  return withoutLonger(beginnings).map((text) => sql`d.hostname_lc like ${likeLiteral(text, 'start')}`);
}

function isOfHostname(node: Node<Criterion>): boolean {
  if (node.kind === 'group' || node.reads !== 'value') return false;
  const { source } = node.field;
  return source.kind === 'core' && source.key === 'hostname';
}

/** Folded; the criterion demands one of them. */
function beginningsOf(node: Node<Criterion>): readonly string[] {
  if (node.kind === 'group' || node.isNegated) return [];
  const { predicate } = node;
  if (predicate.kind === 'textLike') {
    return predicate.position === 'start' && predicate.folded !== '' ? [predicate.folded] : [];
  }
  if (predicate.kind !== 'pattern') return [];
  const required = requiredTexts(predicate.pattern);
  return required?.position === 'start' ? required.texts.map(foldCase) : [];
}

/** What begins with one of the others begins with nothing new. */
function withoutLonger(texts: readonly string[]): readonly string[] {
  const all = [...new Set(texts)];
  return all.filter((text) => !all.some((other) => other !== text && text.startsWith(other)));
}
