/**
 * What somebody opened lately, in this browser only, by user id, so that nobody sees another's (Contract: §14). Titles
 * are kept with it: the list is there at once.
 */

export interface RecentDevice {
  readonly id: string;
  readonly title: string;
  /** The name of its organization. */
  readonly organization: string;
}

export interface RecentPage {
  /** Without what is behind a question mark. */
  readonly path: string;
  readonly title: string;
}

export interface Recents {
  /** The latest first, as of the pages. */
  readonly devices: readonly RecentDevice[];
  readonly pages: readonly RecentPage[];
}

/** Contract: §14. */
const MAX_DEVICES = 5;
const MAX_PAGES = 8;

export function readRecents(userId: string): Recents {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '{}');
    return {
      devices: textsOf(stored.devices, ['id', 'title', 'organization']).slice(0, MAX_DEVICES),
      pages: textsOf(stored.pages, ['path', 'title']).slice(0, MAX_PAGES),
    };
  } catch {
    return { devices: [], pages: [] };
  }
}

export function rememberDevice(userId: string, device: RecentDevice): void {
  const { devices, pages } = readRecents(userId);
  const others = devices.filter(({ id }) => id !== device.id);
  write(userId, { devices: [device, ...others].slice(0, MAX_DEVICES), pages });
}

/** Of a device that is gone. */
export function forgetDevice(userId: string, deviceId: string): void {
  const { devices, pages } = readRecents(userId);
  write(userId, { devices: devices.filter(({ id }) => id !== deviceId), pages });
}

export function rememberPage(userId: string, page: RecentPage): void {
  const { devices, pages } = readRecents(userId);
  const others = pages.filter(({ path }) => path !== page.path);
  write(userId, { devices, pages: [page, ...others].slice(0, MAX_PAGES) });
}

function write(userId: string, recents: Recents): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(recents));
  } catch {
    // A browser that keeps nothing has no recents.
  }
}

function keyOf(userId: string): string {
  return `fleetsift.recents.${userId}`;
}

/** What is stored may be of another version, or of somebody's making. */
function textsOf<Name extends string>(
  stored: unknown,
  names: readonly Name[],
): readonly Readonly<Record<Name, string>>[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter((one) => names.every((name) => typeof one?.[name] === 'string'));
}
