/** The routes of devices as the suites ask them. */
import type { Answer, Ask } from '#test/api/service/service.ts';

export const DEVICES = '/api/v1/devices';
export const DEVICE_QUERY = '/api/v1/devices/query';

export interface DeviceRowBody {
  readonly id: string;
  readonly orgId: string;
  readonly hostname: string;
  readonly [member: string]: unknown;
}

export interface DeviceListBody {
  readonly data: readonly DeviceRowBody[];
  readonly nextCursor: string | null;
  readonly totalCount: number | null;
  readonly evaluatedAt: string;
}

/** The path with a query. */
export function listPath(parameters: Readonly<Record<string, string | number>> = {}): string {
  const sent = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
  return sent.length === 0 ? DEVICES : `${DEVICES}?${new URLSearchParams(sent)}`;
}

export function deviceListOf({ status, text, body }: Answer): DeviceListBody {
  if (status !== 200) throw new Error(`no list was answered: ${status} ${text}`);
  return body as DeviceListBody;
}

/** The hostnames of a page. */
export function namesOf(answer: Answer): readonly string[] {
  return deviceListOf(answer).data.map(({ hostname }) => hostname);
}

/** Every page of a list, each by the cursor of the one before. */
export async function walkPages(
  ask: Ask,
  parameters: Readonly<Record<string, string | number>>,
): Promise<readonly DeviceListBody[]> {
  const pages = [deviceListOf(await ask('GET', listPath(parameters)))];
  for (let cursor = pages[0]?.nextCursor; cursor != null; cursor = pages.at(-1)?.nextCursor) {
    pages.push(deviceListOf(await ask('GET', listPath({ ...parameters, cursor }))));
  }
  return pages;
}
