import { makeNarrowReach } from '#application/access/narrow-reach.ts';
import { makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CompletionSource } from '#application/ports/filters/completion-source.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { FilterExplainer } from '#application/ports/filters/filter-explainer.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type {
  OrganizationDirectory,
  OrganizationsOfPartner,
} from '#application/ports/fleet/organization-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { SubscriptionReader } from '#application/ports/live/subscription-store.ts';
import type { NameReader } from '#application/ports/names.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type CatalogEntry, listEntries } from '#domain/filter/catalog/field-catalog.ts';
import { loadCatalog, makeCheckConditions } from './check-conditions.ts';
import { makeMeasureImpact, makeReadFilterImpact, type ReadFilterImpact } from './evaluate/filter-impact.ts';
import {
  type ExplainConditions,
  type ExplainFilter,
  makeExplainConditions,
  makeExplainFilter,
  makeRunExplain,
} from './evaluate/run-explain.ts';
import {
  makePreviewConditions,
  makePreviewFilter,
  makeRunPreview,
  type PreviewConditions,
  type PreviewFilter,
} from './evaluate/run-preview.ts';
import { makeSaveGuarded } from './saved/change-guard.ts';
import { type CreateFilter, makeCreateFilter } from './saved/create-filter.ts';
import { type DeleteFilter, makeDeleteFilter } from './saved/delete-filter.ts';
import {
  type ListFilterVersions,
  makeListFilterVersions,
  makeRestoreFilter,
  type RestoreFilter,
} from './saved/filter-history.ts';
import { makeNameCreator } from './saved/name-creator.ts';
import {
  type ListFilters,
  makeListFilters,
  makeReadFilter,
  makeResolveFilter,
  type ReadFilter,
  type ResolveFilter,
} from './saved/read-filter.ts';
import { makeUpdateFilter, type UpdateFilter } from './saved/update-filter.ts';
import {
  type FormatText,
  makeCheckText,
  makeFormatText,
  makeParseText,
  type ParseText,
} from './text/check-text.ts';
import { type CompleteText, makeCompleteText } from './text/complete-text.ts';

export interface FilterUseCases {
  readonly listFilters: ListFilters;
  readonly createFilter: CreateFilter;
  readonly readFilter: ReadFilter;
  readonly updateFilter: UpdateFilter;
  readonly deleteFilter: DeleteFilter;
  readonly listFilterVersions: ListFilterVersions;
  readonly restoreFilter: RestoreFilter;
  readonly readFilterImpact: ReadFilterImpact;
  readonly previewConditions: PreviewConditions;
  readonly previewFilter: PreviewFilter;
  readonly explainConditions: ExplainConditions;
  readonly explainFilter: ExplainFilter;
  readonly listFields: ListFields;
  readonly parseText: ParseText;
  readonly formatText: FormatText;
  readonly completeText: CompleteText;
  readonly resolveFilter: ResolveFilter;
}

export interface FilterPorts {
  readonly filters: SavedFilterReader;
  readonly unitOfWork: UnitOfWork;
  readonly matcher: DeviceMatcher;
  readonly explainFilter: FilterExplainer;
  readonly deviceReader: Pick<DeviceReader, 'compare'>;
  readonly subscriptions: Pick<SubscriptionReader, 'list'>;
  readonly checkPatterns: PatternChecker;
  readonly customFields: CustomFieldSource;
  readonly namesInReach: NamesInReach;
  readonly findValues: CompletionSource;
  readonly organizationExists: OrganizationDirectory;
  readonly organizationsOf: OrganizationsOfPartner;
  readonly names: NameReader;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeFilterUseCases(ports: FilterPorts): FilterUseCases {
  const makeEntry = makeEntryFactory(ports);
  const checkConditions = makeCheckConditions(ports);
  const checkText = makeCheckText(ports);
  const deny = makeDeny({ ...ports, makeEntry });
  const runPreview = makeRunPreview({ ...ports, makeEntry, deny });
  const runExplain = makeRunExplain({ ...ports, makeEntry, deny });
  const narrowReach = makeNarrowReach(ports);
  const nameCreator = makeNameCreator(ports);
  const measureImpact = makeMeasureImpact({ ...ports, makeEntry, deny });
  const saveGuarded = makeSaveGuarded({ ...ports, checkConditions, measureImpact });
  const deps = {
    ...ports,
    ...{ makeEntry, deny, narrowReach, nameCreator, checkConditions, checkText, runPreview, runExplain },
    ...{ measureImpact, saveGuarded },
  };
  const updateFilter = makeUpdateFilter(deps);
  return {
    listFilters: makeListFilters(deps),
    createFilter: makeCreateFilter(deps),
    readFilter: makeReadFilter(deps),
    updateFilter,
    deleteFilter: makeDeleteFilter(deps),
    listFilterVersions: makeListFilterVersions(deps),
    restoreFilter: makeRestoreFilter({ ...deps, updateFilter }),
    readFilterImpact: makeReadFilterImpact(deps),
    previewConditions: makePreviewConditions(deps),
    previewFilter: makePreviewFilter(deps),
    explainConditions: makeExplainConditions(deps),
    explainFilter: makeExplainFilter(deps),
    listFields: makeListFields(deps),
    parseText: makeParseText(deps),
    formatText: makeFormatText(deps),
    completeText: makeCompleteText(deps),
    resolveFilter: makeResolveFilter(deps),
  };
}

// GET /filters/fields (Contract: §3).

/** Core fields first, then custom fields of the organizations in reach, by key. */
export type ListFields = (call: Call) => Promise<readonly CatalogEntry[]>;

export function makeListFields(deps: { readonly customFields: CustomFieldSource }): ListFields {
  return async ({ caller }) => listEntries(await loadCatalog(deps.customFields, caller.scope));
}
