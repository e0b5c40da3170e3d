import { words } from '#console/app/words.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export function uptimeText(seconds: number): string {
  const { days, hours, minutes } = words.devicePage;
  if (seconds >= DAY_SECONDS) return days(Math.floor(seconds / DAY_SECONDS));
  if (seconds >= HOUR_SECONDS) return hours(Math.floor(seconds / HOUR_SECONDS));
  return minutes(Math.floor(seconds / MINUTE_SECONDS));
}
