/** The settings of a subscription in bodies (Contract: §17, §18). */
import type { FieldError } from '#application/application-error.ts';
import { refuseOutboundUrl } from '#domain/access/outbound-address.ts';
import { parseId, type UserId } from '#domain/ids.ts';
import {
  LONGEST_WAIT_MS,
  type Notify,
  SETTINGS_OF_KIND,
  type SubscriptionGuard,
  type SubscriptionKind,
  type SubscriptionSettings,
} from '#domain/membership/subscription.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isBlank, unstorableReason } from '#domain/text/storable-text.ts';

/** Unchecked input. An absent member keeps its value, or has its default in a new subscription. */
export interface SettingsInput {
  readonly url?: unknown;
  readonly recipients?: unknown;
  readonly notify?: unknown;
  readonly batchSeconds?: unknown;
  readonly guard?: unknown;
}

export interface SettingsRules {
  /** Null if the kind is unknown; every setting that was sent is then checked. */
  readonly kind: SubscriptionKind | null;
  /** Contract: §17, OUTBOUND_PRIVATE. */
  readonly allowsPrivate: boolean;
}

const MAX_URL = 2_000;
const MAX_RECIPIENTS = 100;
const MAX_BATCH_SECONDS = LONGEST_WAIT_MS / 1_000;
const MAX_DEVICES = 1_000_000_000;

const DEFAULTS = { notify: 'changes', batchSeconds: 900 } as const;

/** `current` is null for a new subscription. Whether recipients reach the filter is checked elsewhere. */
export function parseSettings(
  input: SettingsInput,
  current: SubscriptionSettings | null,
  { kind, allowsPrivate }: SettingsRules,
): Result<SubscriptionSettings, readonly FieldError[]> {
  const faults: FieldError[] = [];
  const take = <T>(
    path: keyof SettingsInput,
    fallback: T | null,
    parse: (value: unknown) => Result<T, string>,
  ) => {
    const sent = input[path];
    if (kind === null && (sent === undefined || sent === null)) return null;
    if (kind !== null && path !== 'guard' && !SETTINGS_OF_KIND[kind].includes(path)) {
      if (sent !== undefined && sent !== null) fault(path, `belongs to another kind than ${kind}`);
      return null;
    }
    // A client may send back what it read, even recipients who no longer exist.
    const isUnchanged = sent === undefined || JSON.stringify(sent) === JSON.stringify(current?.[path]);
    if (isUnchanged && current !== null) return current[path] as T | null;
    if (sent === undefined && fallback !== null) return fallback;
    if ((sent === undefined || sent === null) && path === 'guard') return null;
    const parsed = parse(sent);
    if (parsed.ok) return parsed.value;
    fault(path, parsed.error);
    return null;
  };
  const fault = (path: string, reason: string) =>
    faults.push({ path, code: 'invalid_value', message: `${path} ${reason}` });
  const settings: SubscriptionSettings = {
    url: take<string>('url', null, (value) => parseUrl(value, allowsPrivate)),
    recipients: take<readonly UserId[]>('recipients', null, parseRecipients),
    notify: take<Notify>('notify', DEFAULTS.notify, parseNotify),
    batchSeconds: take<number>('batchSeconds', DEFAULTS.batchSeconds, parseBatchSeconds),
    guard: take<SubscriptionGuard>('guard', null, parseGuard),
  };
  return faults.length > 0 ? err(faults) : ok(settings);
}

function parseUrl(value: unknown, allowsPrivate: boolean): Result<string, string> {
  if (typeof value !== 'string' || isBlank(value) || value.length > MAX_URL)
    return err(`must be a URL of at most ${MAX_URL} characters`);
  const reason = unstorableReason(value);
  if (reason !== null) return err(reason);
  const url = URL.parse(value);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const isLifted = allowsPrivate && isWeb && url.username === '' && url.password === '';
  const refusal = isLifted ? null : refuseOutboundUrl(value);
  return refusal === null ? ok(value) : err(refusal);
}

export function parseRecipients(value: unknown): Result<readonly UserId[], string> {
  const ids = Array.isArray(value) ? value.map((each) => parseId<'user'>(each)) : [];
  const known = ids.filter((id) => id !== null);
  return known.length > 0 && known.length === ids.length && ids.length <= MAX_RECIPIENTS
    ? ok([...new Set(known)])
    : err(`must be a list of 1 to ${MAX_RECIPIENTS} ids of users`);
}

function parseNotify(value: unknown): Result<Notify, string> {
  if (value === 'changes') return ok(value);
  const { above, below, ...rest } = membersOf(value);
  const isOne = (above === undefined) !== (below === undefined) && Object.keys(rest).length === 0;
  if (isOne && isCount(above)) return ok({ above });
  if (isOne && isCount(below)) return ok({ below });
  return err('must be "changes", {"above": n} or {"below": n}, with a whole number n of devices');
}

function parseBatchSeconds(value: unknown): Result<number, string> {
  return isCount(value) && value >= 1 && value <= MAX_BATCH_SECONDS
    ? ok(value)
    : err(`must be a whole number from 1 to ${MAX_BATCH_SECONDS}`);
}

function parseGuard(value: unknown): Result<SubscriptionGuard, string> {
  const { devices, percent, ...rest } = membersOf(value);
  const areDevices = devices === undefined || isCount(devices);
  const isPercent = percent === undefined || (typeof percent === 'number' && percent >= 0 && percent <= 100);
  const isEmpty = devices === undefined && percent === undefined;
  if (!areDevices || !isPercent || isEmpty || Object.keys(rest).length > 0) {
    return err('must have devices, a whole number, or percent, a number from 0 to 100, or both');
  }
  return ok({ ...(devices !== undefined && { devices }), ...(percent !== undefined && { percent }) });
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_DEVICES;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
