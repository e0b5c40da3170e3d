import type { Organization, SearchItem } from '#adapters/http/api-types.ts';
import type { FilterByName } from '#console/api/search.ts';
import { words } from '#console/app/words.ts';
import { type IconName, PAGE_ICONS } from '#console/parts/display/icon.tsx';
import { SEARCH_CATEGORIES } from '#domain/search/search-hit.ts';
import type { RecentDevice, RecentPage } from './recents.ts';

export function foundGroups(items: readonly SearchItem[]): readonly RowGroup[] {
  return SEARCH_CATEGORIES.map((category) => ({
    title: words.palette.categories[category],
    rows: items.filter(({ type }) => type === category).map(foundRow),
  }));
}

function foundRow(item: SearchItem): Row {
  return {
    id: rowIdOf(item),
    icon: item.type,
    title: item.title,
    context: contextOf(item),
    isDevice: item.type === 'devices',
    target: targetOf(item),
  };
}

function rowIdOf({ type, id, href }: SearchItem): string {
  return href === undefined ? `${type}:${id}` : `page:${href}`;
}

/** Says where the text was found, or what distinguishes the row. */
function contextOf(item: SearchItem): string {
  const { organization, device } = item;
  const host = device == null ? '' : words.palette.matchIn('hostname', device.hostname);
  return [matchOf(item), host, organization?.name ?? ''].filter((part) => part !== '').join(' · ');
}

function matchOf({ type, description = '', match, approximate }: SearchItem): string {
  if (approximate === true) return words.palette.similar;
  if (match !== undefined) return words.palette.matchIn(match.field, match.value);
  if (type === 'alerts') return '';
  if (type !== 'devices') return description;
  return (words.deviceStatuses as Readonly<Record<string, string>>)[description] ?? description;
}

function targetOf({ type, id, title, href }: SearchItem): Target {
  switch (type) {
    case 'devices':
      return { to: `/devices/${id}` };
    case 'scripts':
      return { to: '/scripts', search: { search: title } };
    case 'alerts':
      return { to: `/alerts/${id}` };
    case 'settings':
      return pageTarget(href ?? '/');
  }
}

/** Account deletion is outside the router. */
function pageTarget(path: string): Target {
  return path === '/account/delete' ? { address: path } : { to: path };
}

export function recentDeviceRow({ id, title, organization }: RecentDevice): Row {
  const target = { to: `/devices/${id}` };
  return { id: `devices:${id}`, icon: 'devices', title, context: organization, isDevice: true, target };
}

export function recentPageRow({ path, title }: RecentPage): Row {
  return { id: `page:${path}`, icon: iconOfPage(path), title, target: { to: path } };
}

export function filterRow(filter: FilterByName, organizations: readonly Organization[]): Row {
  const { id, orgId, name, description } = filter;
  const target = { to: `/filters/${id}` };
  const covered = organizations.find((one) => one.id === orgId || one.partnerId === filter.partnerId);
  const owner =
    covered === undefined || organizations.length === 1
      ? ''
      : orgId === null
        ? covered.partnerName
        : covered.name;
  const context = [owner, description ?? ''].filter((part) => part !== '').join(' · ');
  return { id: `page:${target.to}`, icon: 'filters', title: name, context, target };
}

export function organizationRow({ id, name, partnerName, deviceCount }: Organization): Row {
  return {
    id: `organization:${id}`,
    icon: 'organizations',
    title: name,
    context: `${partnerName} · ${words.palette.devices(deviceCount)}`,
    target: { to: '/devices', search: { org: id } },
  };
}

export function iconOfPage(path: string): IconName {
  // The page of a single item has the icon of its list.
  return PAGE_ICONS[path] ?? PAGE_ICONS[path.replace(/\/[^/]*$/, '')] ?? 'settings';
}

export interface Row {
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  readonly context?: string;
  readonly keys?: string;
  readonly isDevice?: boolean;
  readonly target: Target;
}

type Target =
  | {
      readonly to: string;
      readonly search?: Readonly<Record<string, string>>;
      /** The search parameters stay if the page is already open. */
      readonly keepsSearch?: boolean;
    }
  | { readonly address: string }
  | { readonly run: () => void };

export interface RowGroup {
  readonly title: string;
  readonly rows: readonly Row[];
}
