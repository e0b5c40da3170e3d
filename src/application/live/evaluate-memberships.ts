/** Brings the members of a partner's watched filters up to date (Contract: §17). */
import { inSlices, makeEndSlice } from '#application/in-slices.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type {
  DeviceMark,
  MembershipEvaluation,
  Memberships,
  OrganizationFilter,
  WatchedFilter,
} from '#application/ports/live/memberships.ts';
import type { Device } from '#domain/device/device.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditionsInSteps } from '#domain/filter/conditions/parse-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { compileNextChange, type NextChange } from '#domain/filter/evaluate/compile-next-change.ts';
import {
  compilePredicate,
  type DevicePredicate,
  type TranslatePattern,
} from '#domain/filter/evaluate/compile-predicate.ts';
import { CandidateIndex } from '#domain/filter/index/filter-index.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { ChangeCause } from '#domain/membership/membership-change.ts';
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';

/** Evaluates all that changed so far, and all that time has changed. False if another evaluation is running. */
export type EvaluateMemberships = (partnerId: PartnerId) => Promise<boolean>;

export interface EvaluateMembershipsDeps {
  readonly memberships: Pick<Memberships, 'evaluate'>;
  readonly customFields: CustomFieldSource;
  readonly translatePattern: TranslatePattern;
  readonly clock: Clock;
}

/** A clock set back by less stands still; set back by more, everything is evaluated anew. */
const SMALL_STEP_BACK_MS = MINUTE_MS;

/** Other work on the thread proceeds in between. */
const SLICE_MS = 5;

export function makeEvaluateMemberships(deps: EvaluateMembershipsDeps): EvaluateMemberships {
  const { memberships, clock } = deps;
  return async (partnerId) => {
    const done = await memberships.evaluate(partnerId, async (evaluation) => {
      const { lastAt } = evaluation;
      const isSetBack = lastAt !== null && clock() < lastAt - SMALL_STEP_BACK_MS;
      const at = lastAt === null || isSetBack ? clock() : Math.max(clock(), lastAt);
      // Marks are taken before devices are read, so a later change leaves a mark that stays.
      const marks = await evaluation.takeMarks();
      const round = new Round(evaluation, at, marks);
      const definitions = new Map<OrgId, Definitions>();
      for (const watched of await evaluation.watched()) {
        const { orgId } = watched.filter;
        const known = definitions.get(orgId) ?? (await loadDefinitions(deps.customFields, orgId));
        definitions.set(orgId, known);
        await round.take(watched, await understand(watched.filter, known, deps.translatePattern), isSetBack);
      }
      await round.evaluateMarked();
      await round.evaluateDue();
      evaluation.finish(at);
      return true;
    });
    return done ?? false;
  };
}

interface Definitions {
  readonly catalog: typeof CORE_CATALOG;
  /** Equal for equal definitions. */
  readonly text: string;
}

async function loadDefinitions(customFields: CustomFieldSource, orgId: OrgId): Promise<Definitions> {
  const definitions = await customFields({ kind: 'organization', orgId });
  const text = definitions.map(({ key, type, choices }) => JSON.stringify([key, type, choices])).join();
  return { catalog: buildCatalog(resolveCustomFields(definitions)), text };
}

/** Ready to be evaluated, or null if it cannot be. */
async function understand(
  filter: OrganizationFilter,
  { catalog, text }: Definitions,
  translatePattern: TranslatePattern,
): Promise<Understood> {
  const json: unknown = JSON.parse(filter.conditionsJson);
  const core = await inSlices(parseConditionsInSteps(json, CORE_CATALOG, () => null));
  const parsed = core.ok ? core : await inSlices(parseConditionsInSteps(json, catalog, () => null));
  const understoodAs = `${filter.version}.${filter.updatedAt}${core.ok ? '' : text}`;
  if (!parsed.ok) return { understoodAs, live: null };
  const matches = compilePredicate(parsed.value, translatePattern);
  if (!matches.ok) return { understoodAs, live: null };
  const nextChange = compileNextChange(parsed.value, matches.value);
  const conditions = simplifyConditions(parsed.value);
  return { understoodAs, live: { filter, matches: matches.value, nextChange, conditions } };
}

interface Understood {
  readonly understoodAs: string;
  readonly live: LiveFilter | null;
}

interface LiveFilter {
  readonly filter: OrganizationFilter;
  readonly matches: DevicePredicate;
  /** Null if time changes nothing. */
  readonly nextChange: NextChange | null;
  readonly conditions: ReturnType<typeof simplifyConditions>;
}

/** One evaluation, at one instant. */
class Round {
  readonly #evaluation: MembershipEvaluation;
  readonly #at: EpochMs;
  readonly #marks: readonly DeviceMark[];
  readonly #endSlice = makeEndSlice(SLICE_MS);
  readonly #live = new Map<FilterId, LiveFilter>();
  readonly #byOrg = new Map<OrgId, CandidateIndex<LiveFilter>>();

  constructor(evaluation: MembershipEvaluation, at: EpochMs, marks: readonly DeviceMark[]) {
    this.#evaluation = evaluation;
    this.#at = at;
    this.#marks = marks;
  }

  /** Evaluates the filter on all devices where its last evaluation does not stand. */
  async take(
    { filter, evaluated }: WatchedFilter,
    understood: Understood,
    isSetBack: boolean,
  ): Promise<void> {
    const { live, understoodAs } = understood;
    if (live === null) {
      if (evaluated === null || evaluated.isDegraded) return;
      this.#evaluation.append(filter, { type: 'degraded' });
      this.#evaluation.setEvaluated(filter.id, { understoodAs, isDegraded: true });
      return;
    }
    this.#live.set(filter.id, live);
    const index = this.#byOrg.get(filter.orgId) ?? new CandidateIndex<LiveFilter>();
    index.add(live, live.conditions);
    this.#byOrg.set(filter.orgId, index);
    if (evaluated === null) return this.#begin(live, understoodAs);
    const isSame = evaluated.understoodAs === understoodAs;
    const stands = isSame && !evaluated.isDegraded && !evaluated.isInterrupted;
    if (stands && !(isSetBack && live.nextChange !== null)) return;
    if (evaluated.isDegraded) this.#evaluation.append(filter, { type: 'recovered' });
    await this.#evaluateAll(live, isSame ? (isSetBack ? 'time' : 'device') : 'filter');
    this.#evaluation.setEvaluated(filter.id, { understoodAs, isDegraded: false });
  }

  async #begin(live: LiveFilter, understoodAs: string): Promise<void> {
    const members: DeviceId[] = [];
    for await (const device of this.#evaluation.devicesOf(live.filter.orgId)) {
      const pause = this.#endSlice();
      if (pause !== undefined) await pause;
      if (live.matches(device, this.#at)) members.push(device.id);
      this.#setTimer(live, device);
    }
    this.#evaluation.begin(live.filter, members, understoodAs);
  }

  async #evaluateAll(live: LiveFilter, cause: ChangeCause): Promise<void> {
    const gone = new Set(await this.#evaluation.membersOf(live.filter.id));
    for await (const device of this.#evaluation.devicesOf(live.filter.orgId)) {
      const pause = this.#endSlice();
      if (pause !== undefined) await pause;
      this.#look(live, device, gone.delete(device.id), cause);
    }
    const elsewhere = await this.#evaluation.devices([...gone]);
    const moved = new Set(
      this.#marks.filter(({ kind }) => kind === 'moved').map(({ orgId, deviceId }) => `${orgId} ${deviceId}`),
    );
    for (const id of gone) {
      const hasMoved = elsewhere.has(id) || moved.has(`${live.filter.orgId} ${id}`);
      this.#leave(live, id, elsewhere.get(id) ?? null, hasMoved ? 'moved' : 'deleted');
    }
  }

  async evaluateMarked(): Promise<void> {
    const ids = [...new Set(this.#marks.map(({ deviceId }) => deviceId))];
    const devices = await this.#evaluation.devices(ids);
    const filtersWith = await this.#evaluation.filtersWith(ids);
    for (const { orgId, deviceId, kind } of this.#marks) {
      const pause = this.#endSlice();
      if (pause !== undefined) await pause;
      const device = devices.get(deviceId) ?? null;
      const isHere = device?.orgId === orgId;
      const candidates = isHere ? (this.#byOrg.get(orgId)?.find(device) ?? []) : [];
      const members = new Set(filtersWith.get(deviceId));
      for (const live of candidates) {
        const wasMember = members.delete(live.filter.id);
        this.#look(live, device as Device, wasMember, kind === 'moved' && !wasMember ? 'moved' : 'device');
      }
      for (const id of members) {
        const live = this.#live.get(id);
        if (live?.filter.orgId !== orgId) continue;
        this.#leave(live, deviceId, device, isHere ? 'device' : kind === 'moved' ? 'moved' : 'deleted');
      }
    }
  }

  async evaluateDue(): Promise<void> {
    const timers = await this.#evaluation.takeDueTimers(this.#at);
    const ids = [...new Set(timers.map(({ deviceId }) => deviceId))];
    const devices = await this.#evaluation.devices(ids);
    const filtersWith = await this.#evaluation.filtersWith(ids);
    for (const { filterId, deviceId } of timers) {
      const live = this.#live.get(filterId);
      const device = devices.get(deviceId);
      // Without a filter that can be evaluated, a later evaluation of all devices sets the timer anew.
      if (live === undefined || device === undefined || device.orgId !== live.filter.orgId) continue;
      this.#look(live, device, filtersWith.get(deviceId)?.has(filterId) ?? false, 'time');
    }
  }

  #look(live: LiveFilter, device: Device, wasMember: boolean, cause: ChangeCause): void {
    const isMember = live.matches(device, this.#at);
    this.#setTimer(live, device);
    if (isMember === wasMember) return;
    const { id: deviceId, hostname } = device;
    const type = isMember ? 'entered' : 'left';
    this.#evaluation.append(live.filter, { type, deviceId, hostname, cause });
  }

  #leave({ filter }: LiveFilter, deviceId: DeviceId, device: Device | null, cause: ChangeCause): void {
    this.#evaluation.setTimer(filter.id, deviceId, null);
    this.#evaluation.append(filter, { type: 'left', deviceId, hostname: device?.hostname ?? null, cause });
  }

  #setTimer({ filter, nextChange }: LiveFilter, device: Device): void {
    if (nextChange !== null) this.#evaluation.setTimer(filter.id, device.id, nextChange(device, this.#at));
  }
}
