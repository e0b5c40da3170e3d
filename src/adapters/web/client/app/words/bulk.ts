import { formatCount, formatNumber } from '#console/parts/display/format.ts';
import { LANGUAGE } from './shared.ts';

const devices = (count: number) => formatCount(count, 'device');

const listOf = (items: readonly string[]) =>
  new Intl.ListFormat(LANGUAGE, { type: 'conjunction' }).format(items);

export const bulkWords = {
  bar: 'Selection',
  selected: (count: number) => `${formatNumber(count)} selected`,
  selecting: 'Selecting…',
  selectAll: (count: number) => `Select all ${formatNumber(count)}`,
  selectAllKey: 'Select all devices',
  tagKey: 'Tag the selected devices',
  clear: 'Clear',
  copyNames: 'Copy hostnames',
  onlyThese: 'Show only these',
  tooMany: (most: number) => `Up to ${formatNumber(most)} devices can be changed at once.`,
  allOrNothing: (most: number) =>
    `To leave devices out, narrow the filter to at most ${formatNumber(most + 1)}.`,
  tag: (count: number) => `Tag ${devices(count)}`,
  field: (count: number) => `Set field of ${devices(count)}`,
  status: (count: number) => `Set status of ${devices(count)}`,
  decommission: (count: number) => `Decommission ${devices(count)}`,
  export: (count: number) => `Export ${devices(count)}`,
  addTags: 'Add tags',
  removeTags: 'Remove tags',
  tagPlaceholder: 'Type a tag',
  noTags: 'Enter a tag to add or to remove.',
  custom: 'Field',
  value: 'Value',
  valueHint: 'Leave it empty to remove the value.',
  noValue: 'No value',
  noFields: 'No custom fields are defined yet.',
  newStatus: 'Status',
  statuses: { maintenance: 'Maintenance', decommissioned: 'Decommissioned', offline: 'Offline' },
  decommissionText:
    'Decommissioned devices stay in lists and filters, but no longer count as missing or unpatched. They keep this status until somebody changes it, even when they report.',
  countChanged: (actual: number, expected: number) =>
    `${devices(actual)} ${actual === 1 ? 'matches' : 'match'} now, not ${formatNumber(expected)}. Nothing has been changed. Continue with the new number, or cancel and check the list.`,
  changing: (count: number) => `Changing ${devices(count)}…`,
  changed: (changed: number, unchanged: number) => {
    if (changed === 0) return 'Nothing to change. All of them already had this value.';
    return unchanged === 0
      ? `${devices(changed)} changed.`
      : `${devices(changed)} changed. ${formatNumber(unchanged)} ${unchanged === 1 ? 'was' : 'were'} so already.`;
  },
  undo: 'Undo',
  undoKey: 'Undo the last change of many devices',
  undone: (restored: number, skipped: number) => {
    const done = `Undone on ${devices(restored)}.`;
    if (skipped === 0) return done;
    return `${done} ${formatNumber(skipped)} ${skipped === 1 ? 'was' : 'were'} changed since, and ${skipped === 1 ? 'stays' : 'stay'} as ${skipped === 1 ? 'it is' : 'they are'}.`;
  },
  recent: 'Recent changes',
  recentEntry: (text: string, when: string) => `Undo: ${text}, ${when}`,
  didTag: (count: number, added: readonly string[], removed: readonly string[]) =>
    [
      ...(added.length > 0 ? [`added ${listOf(added)}`] : []),
      ...(removed.length > 0 ? [`removed ${listOf(removed)}`] : []),
      `on ${devices(count)}`,
    ].join(' '),
  didSetField: (count: number, name: string) => `set ${name} of ${devices(count)}`,
  didSetStatus: (count: number, status: string) => `set ${devices(count)} to ${status.toLowerCase()}`,
};
