/**
 * Only these statements run exempt from row-level security. The reader takes nothing else, and no other file can make
 * one, so every read has a scope. Statements without a comment are described at their query.
 */
import type { PatchQuery } from '#application/ports/fleet/fleet-counter.ts';
import type { AlertQuery, AlertSelection, ScriptQuery } from '#application/ports/fleet/fleet-lists.ts';
import type { NamedKind } from '#application/ports/fleet/names-in-reach.ts';
import type { FoundThing } from '#application/ports/search/searcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ExportColumn } from '#domain/export/export-column.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';
import type { SeenSince } from '#domain/fleet/fleet-summary.ts';
import type { AlertId, DeviceId, FilterId, OrgId } from '#domain/ids.ts';
import type { StoredCategory } from '#domain/search/search-hit.ts';
import type { CompiledFilter } from './conditions/filter-to-sql.ts';
import { type TitleLookups, titleStatement } from './conditions/software.ts';
import { type ComparedFilters, comparisonQuery } from './devices/compared-filters.ts';
import { type DevicePageShape, type DevicePlace, devicePageQuery } from './devices/device-page.ts';
import { exportQuery } from './devices/export-query.ts';
import { keySharers } from './devices/key-sharers.ts';
import * as devices from './devices/preview-query.ts';
import {
  type CompiledExplanation,
  type ExplainedSample,
  explainQuery,
} from './explain/explanation-to-sql.ts';
import { type CountedDevices, completionValues, rareSoftware, sampledDevices } from './fleet/completion.ts';
import { organizations, patches, patchValues, tallies, tallyValues } from './fleet/fleet-counts.ts';
import * as lists from './fleet/fleet-lists.ts';
import { countLiteral, type Sql, sql } from './literal.ts';
import { SEARCH_BOUNDS, type SearchBounds } from './search/search-bounds.ts';
import { alikeForm, type ComparedTitles, searchQuery, similarQuery } from './search/search-part.ts';
import { type SearchTerms, searchValues } from './search/search-terms.ts';

const KEY = Symbol('scoped statement');

export class ScopedStatement {
  readonly #text: string;
  readonly #values: readonly unknown[];

  /** Only this class can call the constructor: `private` ensures it in TypeScript, `key` at run time. */
  private constructor(text: Sql, key: symbol, values: readonly unknown[] = []) {
    if (key !== KEY) throw new Error('scoped statements are made from a scope');
    this.#text = text;
    this.#values = Object.freeze([...values]);
    Object.freeze(this);
  }

  get text(): string {
    return this.#text;
  }

  /** The scope is in the text, never in the values. */
  get values(): readonly unknown[] {
    return this.#values;
  }

  static isGenuine(value: unknown): value is ScopedStatement {
    return typeof value === 'object' && value !== null && #text in value;
  }

  static preview(scope: AccessScope, filter: CompiledFilter, limit: number, shape: devices.PreviewShape) {
    return new ScopedStatement(devices.previewQuery(scope, filter, limit, shape), KEY);
  }

  static devicePage(scope: AccessScope, filter: CompiledFilter, place: DevicePlace, shape: DevicePageShape) {
    return new ScopedStatement(devicePageQuery(scope, filter, place, shape), KEY);
  }

  /**
   * Rows of (before, after, either): how many devices match `before`, `after`, or at least one of them. If
   * fewer than `FEW_COMPARED` enter or leave, each row may also describe one of these devices: whether it
   * enters, then the columns of `rowColumns`.
   */
  static comparison(scope: AccessScope, compared: ComparedFilters, limit: number) {
    return new ScopedStatement(comparisonQuery(scope, compared, limit), KEY);
  }

  static keySharers(scope: AccessScope) {
    return new ScopedStatement(keySharers(scope), KEY);
  }

  static device(scope: AccessScope, id: DeviceId) {
    return new ScopedStatement(devices.deviceById(scope), KEY, [id]);
  }

  static deviceCount(scope: AccessScope) {
    return new ScopedStatement(sql`select count(*) ${devices.statesInScope(scope)}`, KEY);
  }

  static explain(
    scope: AccessScope,
    explanation: CompiledExplanation,
    deviceId: DeviceId | null,
    sample: ExplainedSample | null,
  ) {
    return new ScopedStatement(explainQuery(scope, explanation, deviceId, sample), KEY);
  }

  static matches(scope: AccessScope, filter: CompiledFilter, id: DeviceId) {
    const isMatch = sql`exists(select ${devices.matchingDevices(scope, filter)} and d.id = $1::uuid)`;
    return new ScopedStatement(sql`select ${isMatch} as matches`, KEY, [id]);
  }

  /** Declares the transaction's cursor over the ids of all matching devices. */
  static cursor(scope: AccessScope, filter: CompiledFilter) {
    return new ScopedStatement(
      declareCursor(sql`select d.id ${devices.matchingDevices(scope, filter)}`),
      KEY,
    );
  }

  /** Declares the transaction's cursor over all matching devices in the default order: rows of `exportQuery`. */
  static exportCursor(scope: AccessScope, filter: CompiledFilter, columns: readonly ExportColumn[]) {
    return new ScopedStatement(declareCursor(exportQuery(scope, filter, columns)), KEY);
  }

  static next(count: number) {
    return new ScopedStatement(sql`fetch ${countLiteral(count, 1)} from ${CURSOR}`, KEY);
  }

  static search(
    scope: AccessScope,
    categories: readonly StoredCategory[],
    terms: SearchTerms,
    limit: number,
    bounds: SearchBounds = SEARCH_BOUNDS,
  ) {
    const text = searchQuery(scope, categories, limit, bounds, terms.mayCrossTexts);
    return new ScopedStatement(text, KEY, searchValues(terms));
  }

  static similar(
    scope: AccessScope,
    categories: readonly StoredCategory[],
    folded: string,
    limit: number,
    compared: ComparedTitles,
  ) {
    return new ScopedStatement(similarQuery(scope, categories, limit, compared), KEY, [alikeForm(folded)]);
  }

  static completionValues(
    scope: AccessScope,
    source: ValueSource,
    typed: string,
    limit: number,
    counted: CountedDevices,
    title?: string,
  ) {
    return new ScopedStatement(completionValues(scope, source, typed, limit, counted, title), KEY);
  }

  static rareSoftware(scope: AccessScope, typed: string, limit: number) {
    return new ScopedStatement(rareSoftware(scope, typed, limit), KEY);
  }

  static sampledDevices(scope: AccessScope, most: number) {
    return new ScopedStatement(sampledDevices(scope, most), KEY);
  }

  static savedFilters(scope: AccessScope, ids: readonly FilterId[]) {
    return new ScopedStatement(lists.savedFiltersById(scope), KEY, [[...ids]]);
  }

  static savedFilterHeads(scope: AccessScope, after: lists.FilterPlace, count: number) {
    return new ScopedStatement(lists.savedFilterHeads(scope, count), KEY, [after.createdAt, after.id]);
  }

  static savedFilterSummaries(scope: AccessScope, orgId: OrgId) {
    return new ScopedStatement(lists.savedFilterSummaries(scope), KEY, [orgId]);
  }

  static savedFilterSizes(scope: AccessScope, ids: readonly FilterId[]) {
    return new ScopedStatement(lists.savedFilterSizes(scope), KEY, [[...ids]]);
  }

  static savedFiltersWithInner(scope: AccessScope, ids: readonly FilterId[]) {
    return new ScopedStatement(lists.savedFiltersWithInner(scope), KEY, [[...ids]]);
  }

  static filtersRelyingOn(scope: AccessScope, id: FilterId) {
    return new ScopedStatement(lists.filtersRelyingOn(scope), KEY, [id]);
  }

  static filterVersionHeads(scope: AccessScope, id: FilterId) {
    return new ScopedStatement(lists.filterVersionHeads(scope), KEY, [id]);
  }

  static filterVersions(scope: AccessScope, id: FilterId, versions: readonly number[]) {
    return new ScopedStatement(lists.filterVersions(scope), KEY, [id, [...versions]]);
  }

  static customFields(scope: AccessScope) {
    return new ScopedStatement(lists.customFields(scope), KEY);
  }

  static names(scope: AccessScope, kind: NamedKind) {
    return new ScopedStatement(lists.names(scope, kind), KEY);
  }

  static sites(scope: AccessScope) {
    return new ScopedStatement(lists.sites(scope), KEY);
  }

  static alerts(scope: AccessScope, query: AlertQuery) {
    return new ScopedStatement(lists.alerts(scope, query), KEY, lists.alertValues(query));
  }

  static alertCount(scope: AccessScope, selection: AlertSelection) {
    return new ScopedStatement(lists.alertCount(scope, selection), KEY, lists.selectionValues(selection));
  }

  static alert(scope: AccessScope, id: AlertId) {
    return new ScopedStatement(lists.alertById(scope), KEY, [id]);
  }

  static searchContexts(scope: AccessScope, things: readonly FoundThing[]) {
    return new ScopedStatement(lists.searchContexts(scope), KEY, lists.contextValues(things));
  }

  static devicePresence(scope: AccessScope, id: DeviceId) {
    return new ScopedStatement(lists.devicePresence(scope), KEY, [id]);
  }

  static scripts(scope: AccessScope, query: ScriptQuery) {
    return new ScopedStatement(lists.scripts(scope, query), KEY, lists.scriptValues(query));
  }

  static organizations(scope: AccessScope) {
    return new ScopedStatement(organizations(scope), KEY);
  }

  static patches(scope: AccessScope, query: PatchQuery) {
    return new ScopedStatement(patches(scope, query), KEY, patchValues(query));
  }

  static tallies(scope: AccessScope, since: SeenSince) {
    return new ScopedStatement(tallies(scope), KEY, tallyValues(since));
  }

  static titles(scope: AccessScope, lookups: TitleLookups) {
    return new ScopedStatement(titleStatement(scope, lookups), KEY);
  }
}

Object.freeze(ScopedStatement);
Object.freeze(ScopedStatement.prototype);

const CURSOR = sql`matching_devices`;

function declareCursor(query: Sql): Sql {
  return sql`declare ${CURSOR} no scroll cursor for ${query}`;
}
