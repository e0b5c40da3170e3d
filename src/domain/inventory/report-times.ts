/** How often machines report, and how long one may be silent (Contract: §13). */

/** How long agents wait between two reports, unless they are told otherwise. */
export const DEFAULT_EXPIRATION_HOURS = 24;

/** The longest silence of a machine that is online, unless it is set: what agents wait, and an hour more. */
export function silenceMinutes(expirationHours: number): number {
  return (expirationHours + 1) * 60;
}
