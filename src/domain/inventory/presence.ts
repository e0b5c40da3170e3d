/** When agents make contact and send inventories, and when their silence makes a device offline (Contract: §13). */
import { type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** The time between two contacts of an agent. */
export const DEFAULT_CONTACT_MINUTES = 15;

/** The time between two inventories of an agent. */
export const DEFAULT_EXPIRATION_HOURS = 24;

/** What shows that a machine is alive: contacts if its agent makes any, otherwise reports. */
export type Sign = 'contacts' | 'reports';

/** How late a sign may be, for example after an outage. */
const SLACK_MINUTES: Readonly<Record<Sign, number>> = { contacts: 5, reports: 60 };

export interface SilenceSettings {
  readonly contactMinutes: number;
  readonly expirationHours: number;
  /** The setting OFFLINE_AFTER_MINUTES; null if absent. */
  readonly offlineAfterMinutes: number | null;
}

/** How long a device may be silent before it is offline. */
export function silenceMinutes(settings: SilenceSettings): Readonly<Record<Sign, number>> {
  const { contactMinutes, expirationHours, offlineAfterMinutes } = settings;
  return {
    contacts: offlineAfterMinutes ?? 2 * contactMinutes + SLACK_MINUTES.contacts,
    reports: offlineAfterMinutes ?? expirationHours * 60 + SLACK_MINUTES.reports,
  };
}

/** Since when the service has been up without a break. */
export interface Hearing {
  /** When a worker last noted that the service is up. */
  readonly heardAt: EpochMs;
  readonly since: Readonly<Record<Sign, EpochMs>>;
}

/**
 * Called every `everyMs` to note that the service is up. If a note is late by more than the slack, the service
 * was down or a clock has jumped, so `since` starts again.
 */
export function hearAt(now: EpochMs, before: Hearing | null, everyMs: number): Hearing {
  const since = (sign: Sign) => {
    const longest = everyMs + SLACK_MINUTES[sign] * MINUTE_MS;
    const isUnbroken = before !== null && Math.abs(now - before.heardAt) <= longest;
    return isUnbroken ? Math.min(before.since[sign], now) : now;
  };
  return { heardAt: now, since: { contacts: since('contacts'), reports: since('reports') } };
}

/** The range of `lastSeenAt` of devices that are not silent. */
export interface Audible {
  readonly from: EpochMs;
  /** A later `lastSeenAt` is from before a clock was set back. */
  readonly to: EpochMs;
}

/** Null while the service has not listened for long enough to count a device as silent. */
export function audibleAt(
  { heardAt: now, since }: Hearing,
  minutes: Readonly<Record<Sign, number>>,
): Readonly<Record<Sign, Audible | null>> {
  const audible = (sign: Sign) => {
    const from = now - minutes[sign] * MINUTE_MS;
    return since[sign] > from ? null : { from, to: now + SLACK_MINUTES[sign] * MINUTE_MS };
  };
  return { contacts: audible('contacts'), reports: audible('reports') };
}

/** `inventoriedAt` is null if the agent never sent an inventory. */
export function isInventoryDue(
  inventoriedAt: EpochMs | null,
  now: EpochMs,
  expirationHours: number,
): boolean {
  if (inventoriedAt === null || inventoriedAt > now) return true;
  return now - inventoriedAt >= expirationHours * HOUR_MS;
}

/** What a report stores about its agent. The next contact reads it. */
export interface AgentSigns {
  /** Whether the agent that reported last makes contact between reports. */
  readonly makesContact: boolean;
  /** When the agent last sent an inventory that was due; null if never. */
  readonly inventoriedAt: EpochMs | null;
}

/**
 * A partial inventory counts if an inventory was due, because an agent that omits unchanged sections sends up
 * to 14 partial ones in a row. `inventoriedAt` is the value before the report.
 */
export function signsAfter(
  { inventory, makesContact = false, expirationHours = DEFAULT_EXPIRATION_HOURS, now }: SigningReport,
  inventoriedAt: EpochMs | null,
): AgentSigns {
  const isTheDueOne = inventory.kind === 'full' || isInventoryDue(inventoriedAt, now, expirationHours);
  return { makesContact, inventoriedAt: isTheDueOne ? now : inventoriedAt };
}

interface SigningReport {
  readonly inventory: { readonly kind: 'full' | 'partial' };
  readonly makesContact?: boolean;
  readonly expirationHours?: number;
  readonly now: EpochMs;
}
