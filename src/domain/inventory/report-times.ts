/** Time between two reports unless configured (Contract: §13). */
export const DEFAULT_EXPIRATION_HOURS = 24;

/** Default silence before a device is offline: the expiration and one hour (Contract: §13). */
export function silenceMinutes(expirationHours: number): number {
  return (expirationHours + 1) * 60;
}
