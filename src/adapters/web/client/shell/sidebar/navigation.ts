/** The entries of the sidebar, and who sees which. */
import type { User } from '#adapters/http/api-types.ts';
import { PLACES, type PlacePath } from '#adapters/web/places.ts';
import { holds } from '#console/app/user.ts';
import type { IconName } from '#console/parts/display/icon.tsx';
import { PAGE_ICONS } from '#console/parts/display/page-icons.ts';

export interface NavigationItem {
  readonly path: PlacePath;
  readonly title: string;
  readonly icon: IconName;
}

export const MAIN_ITEMS = itemsOf('main');

/** Contract: §14. Links that would be refused are not shown. */
export function administrationItems(user: User): readonly NavigationItem[] {
  return itemsOf('administration').filter(({ path }) =>
    path === '/admin/audit-log' ? holds(user, 'users:write') : user.isPlatformAdmin,
  );
}

function itemsOf(section: 'main' | 'administration'): readonly NavigationItem[] {
  return PLACES.flatMap((place) => {
    if (!('section' in place) || place.section !== section) return [];
    return [{ path: place.path, title: place.title, icon: PAGE_ICONS[place.path] ?? 'dashboard' }];
  });
}
