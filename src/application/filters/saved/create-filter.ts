/** Saves a new filter of an organization or a partner (POST /filters; Contract: §5, §18). */
import {
  NOT_THE_WHOLE_PARTNER,
  toOwnerError,
  UNKNOWN_ORGANIZATION,
  UNKNOWN_PARTNER,
} from '#application/access/refusals.ts';
import {
  type ApplicationError,
  faultsIn,
  faultsOf,
  invalidField,
  quotaExceeded,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import type { Clock } from '#application/ports/clock.ts';
import type {
  OrganizationDirectory,
  OrganizationsOfPartner,
} from '#application/ports/fleet/organization-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { resolveOwnerOrg } from '#domain/access/access-scope.ts';
import { idsOfOwner, mayChangeFor } from '#domain/access/ownership.ts';
import { namedIn } from '#domain/filter/catalog/inner-filters.ts';
import { quotaExceededBy } from '#domain/filter/filter-quota.ts';
import { parseFilterDescription, parseFilterName, type SavedFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import { parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { findLinkError } from './filter-links.ts';
import type { NameCreator, NamedFilter } from './name-creator.ts';
import { coverageOf } from './read-filter.ts';

/** Unchecked input. Members that the server sets, such as id and createdAt, are ignored. */
export interface CreateFilterInput {
  readonly name: unknown;
  readonly description: unknown;
  readonly conditions: unknown;
  readonly orgId: unknown;
  readonly partnerId: unknown;
}

/** Errors: every fault of the input, `forbidden` (an owner out of reach), `quota_exceeded`. */
export type CreateFilter = (
  call: Call,
  input: CreateFilterInput,
) => Promise<Result<NamedFilter, ApplicationError>>;

export interface CreateFilterDeps {
  readonly checkConditions: CheckConditions;
  readonly organizationExists: OrganizationDirectory;
  readonly organizationsOf: OrganizationsOfPartner;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
  readonly nameCreator: NameCreator;
  readonly newId: IdGenerator;
}

export function makeCreateFilter(deps: CreateFilterDeps): CreateFilter {
  return async (call, input) => {
    const { scope, userId } = call.caller;
    const owner = await findOwner(deps, call, input);
    if (!owner.ok && owner.error.code !== 'validation_failed') return err(owner.error);

    const name = parseFilterName(input.name);
    const description = parseFilterDescription(input.description);
    const conditions = await deps.checkConditions(
      owner.ok ? await coverageOf(deps, scope, idsOfOwner(owner.value)) : scope,
      input.conditions,
      userId,
      { owner: owner.ok ? owner.value : null },
    );
    if (!owner.ok || !name.ok || !description.ok || !conditions.ok) {
      const fields = [...faultsOf(owner), ...faultsIn({ name, description })];
      const error = toFilterError([...fields, ...(conditions.ok ? [] : conditions.error)]);
      // Clients expect this exact message for a missing orgId, whatever else is wrong.
      return err(owner.ok ? error : { ...error, detail: owner.error.detail });
    }

    const now = deps.clock();
    const filter: SavedFilter = {
      id: deps.newId<'filter'>(),
      ...idsOfOwner(owner.value),
      name: name.value,
      description: description.value,
      conditionsJson: jsonText(input.conditions),
      createdBy: userId,
      changedBy: userId,
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    const saved = await deps.unitOfWork(scope, async (tx): Promise<Result<SavedFilter, ApplicationError>> => {
      const named = namedIn(filter.conditionsJson);
      if (named.length > 0) {
        await tx.filters.holdLinks(owner.value);
        const fault = await findLinkError(tx.filters, { ...filter, named });
        if (fault !== null) return err(fault);
      }
      const added = { filters: 1, conditionBytes: utf8Length(filter.conditionsJson) };
      const excess = quotaExceededBy(added, await tx.filters.holdUsage(owner.value), owner.value.kind);
      if (excess !== null) return err(quotaExceeded(excess));
      await tx.filters.add(filter);
      await tx.audit(
        deps.makeEntry(call, {
          action: 'filter.create',
          resourceId: filter.id,
          orgId: filter.orgId,
          partnerId: filter.partnerId,
        }),
      );
      return ok(filter);
    });
    return deps.nameCreator.one(call, saved);
  };
}

async function findOwner(
  deps: CreateFilterDeps,
  call: Call,
  { orgId: requested, partnerId }: Pick<CreateFilterInput, 'orgId' | 'partnerId'>,
): Promise<Result<Owner, ApplicationError>> {
  const { scope } = call.caller;
  if (partnerId !== undefined && partnerId !== null) {
    if (requested !== undefined && requested !== null) {
      return err(invalidField('partnerId', 'invalid_value', 'send orgId or partnerId, not both'));
    }
    return findPartner(deps, call, partnerId);
  }
  const isSent = requested !== undefined && requested !== null && scope.kind !== 'organization';
  const orgId = isSent ? parseId<'organization'>(requested) : null;
  if (isSent && orgId === null) return err(invalidField('orgId', 'invalid_value', 'orgId must be a UUID'));
  const owner = resolveOwnerOrg(scope, orgId);
  if (!owner.ok) {
    const error = toOwnerError(owner.error, scope.kind);
    if (owner.error !== 'org-out-of-reach') return err(error);
    return deps.deny(call, { action: 'filter.create', resourceId: null, reason: owner.error }, error);
  }
  if (scope.kind === 'system' && !(await deps.organizationExists(owner.value))) {
    return err(UNKNOWN_ORGANIZATION);
  }
  return ok({ kind: 'organization', orgId: owner.value });
}

async function findPartner(
  deps: CreateFilterDeps,
  call: Call,
  requested: unknown,
): Promise<Result<Owner, ApplicationError>> {
  const partnerId = parseId<'partner'>(requested);
  if (partnerId === null) {
    return err(invalidField('partnerId', 'invalid_value', 'partnerId must be a UUID'));
  }
  const owner: Owner = { kind: 'partner', partnerId };
  if (!mayChangeFor(call.caller.scope, owner)) {
    const attempt = { action: 'filter.create', resourceId: null, reason: 'partner-out-of-reach' } as const;
    return deps.deny(call, attempt, NOT_THE_WHOLE_PARTNER);
  }
  return (await deps.organizationsOf(partnerId)) === null ? err(UNKNOWN_PARTNER) : ok(owner);
}
