/** When agents make contact and send inventories, and when their silence makes a device offline (Contract: §13). */
import { type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** Between the contacts of an agent. */
export const DEFAULT_CONTACT_MINUTES = 15;

/** Between the inventories of an agent. */
export const DEFAULT_EXPIRATION_HOURS = 24;

/** Contacts, if the agent makes any, or only reports. */
export type Sign = 'contacts' | 'reports';

/** A sign may be this late, as after a short outage. */
const SLACK_MINUTES: Readonly<Record<Sign, number>> = { contacts: 5, reports: 60 };

export interface SilenceSettings {
  readonly contactMinutes: number;
  readonly expirationHours: number;
  /** OFFLINE_AFTER_MINUTES; null if it is not set. */
  readonly offlineAfterMinutes: number | null;
}

/** A device is offline after more silence. */
export function silenceMinutes(settings: SilenceSettings): Readonly<Record<Sign, number>> {
  const { contactMinutes, expirationHours, offlineAfterMinutes } = settings;
  return {
    contacts: offlineAfterMinutes ?? 2 * contactMinutes + SLACK_MINUTES.contacts,
    reports: offlineAfterMinutes ?? expirationHours * 60 + SLACK_MINUTES.reports,
  };
}

/** Since when the service could hear machines without a break that matters to the sign. */
export interface Hearing {
  /** The last note of a worker. */
  readonly heardAt: EpochMs;
  readonly since: Readonly<Record<Sign, EpochMs>>;
}

/**
 * A longer gap than the slack is a break: the service was down, or a clock has jumped. `everyMs` is the time between
 * two notes.
 */
export function hearAt(now: EpochMs, before: Hearing | null, everyMs: number): Hearing {
  const since = (sign: Sign) => {
    const longest = everyMs + SLACK_MINUTES[sign] * MINUTE_MS;
    const isUnbroken = before !== null && Math.abs(now - before.heardAt) <= longest;
    return isUnbroken ? Math.min(before.since[sign], now) : now;
  };
  return { heardAt: now, since: { contacts: since('contacts'), reports: since('reports') } };
}

/** A device that is not silent was last seen within these instants. */
export interface Audible {
  readonly from: EpochMs;
  /** Later ones are from before a clock was set back. */
  readonly to: EpochMs;
}

/** Null while no device can count as silent, because the service has not listened for long enough. */
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

/** `inventoriedAt` is null if the agent never sent one. */
export function isInventoryDue(
  inventoriedAt: EpochMs | null,
  now: EpochMs,
  expirationHours: number,
): boolean {
  if (inventoriedAt === null || inventoriedAt > now) return true;
  return now - inventoriedAt >= expirationHours * HOUR_MS;
}

/** Facts that a report leaves for the next contact. */
export interface AgentSigns {
  /** The last agent makes contact between its reports. */
  readonly makesContact: boolean;
  /** When the agent last sent the inventory that was due; null if it never did. */
  readonly inventoriedAt: EpochMs | null;
}

/**
 * An agent that leaves unchanged sections out answers with a partial inventory up to 14 times in a row, so a partial
 * one counts if one was due. `inventoriedAt` is as before the report.
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
