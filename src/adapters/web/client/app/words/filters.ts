import { formatCount, formatNumber, formatPercent } from '#console/parts/display/format.ts';
import type { FieldCategory } from '#domain/filter/catalog/core-fields.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import { listValues } from '#domain/filter/values/parse-scalar.ts';
import type { TimeUnit } from '#domain/filter/values/time-span.ts';

const devices = (count: number, isEstimate: boolean) =>
  `${isEstimate ? '≈ ' : ''}${formatCount(count, 'device')}`;

export const filterWords = {
  title: 'Saved filters',
  create: 'New filter',
  search: 'Find a filter',
  columns: {
    name: 'Name',
    owner: 'Covers',
    count: 'Devices',
    conditions: 'Conditions',
    creator: 'Created by',
    changed: 'Changed',
    actions: 'Actions',
  },
  uncounted: 'Count unavailable',
  unknownCreator: 'Their account is erased, or you have no access to it.',
  createdBy: (name: string) => `Created by ${name}`,
  listed: (count: number) => formatCount(count, 'filter'),
  emptyTitle: 'No saved filters yet',
  emptyText:
    'Save a filter to find the same kind of devices again, such as those not seen for a month or low on disk space.',
  nothingFound: (text: string) => `No filter name or description contains “${text}”.`,
  actions: (name: string) => `Actions for ${name}`,
  open: 'Open',
  duplicate: 'Duplicate',
  copyText: 'Copy as text',
  exportDevices: 'Export devices…',
  remove: 'Delete',
  textCopied: 'Copied as text.',
  notCopied: 'Your browser does not allow copying.',
  deleted: (name: string) => `“${name}” deleted.`,
  other: (text: string) => `Add “${text}”`,
  used: {
    title: (name: string) => `Delete “${name}”?`,
    text: (count: number) =>
      `${formatCount(count, 'subscription follows', 'subscriptions follow')} this filter and would end:`,
    force: 'Delete anyway',
    heldTitle: (name: string) => `“${name}” cannot be deleted`,
    held: 'Other filters rely on it. Change or delete them first:',
    leaving: (count: number) => `${formatCount(count, 'device')} would leave with it.`,
    emptyTitle: 'Nothing relies on this filter',
    emptyText: 'Subscriptions to this filter, and filters that name it, are listed here.',
    name: 'Name',
    kind: 'Kind',
    kinds: { subscription: 'Subscription', filter: 'Filter' },
  },
  undo: 'Undo',
  undoDeletion: 'Undo the last deletion, within 10 seconds',
  undone: (name: string) => `“${name}” restored.`,

  newTitle: 'New filter',
  name: 'Name',
  description: 'Description',
  owner: 'Covers',
  chooseOwner: 'Choose an organization',
  ownerNeeded: 'Choose what the filter covers.',
  allOrganizations: (partner: string | null) =>
    partner === null ? 'All organizations' : `All organizations of ${partner}`,
  whoSees:
    'The filter also covers organizations that are added later. Everyone with access to one of them sees it, with the devices they have access to. Only people with access to all of them can change it.',
  notYours: (owner: string) =>
    `This filter covers ${owner}, and you see the devices you have access to. Only people with access to all of them can change it. You can save your changes as a copy.`,
  countsMore: 'The numbers beside the conditions count all organizations you have access to.',
  noOrganization: 'The filter cannot be saved because your account has no organization. Your text is kept.',
  nameNeeded: 'Enter a name.',
  copyOf: (name: string) => `${name} (copy)`,
  tabs: { builder: 'Builder', text: 'Text', json: 'JSON', live: 'Live', history: 'History', used: 'Used by' },
  guard: {
    title: 'A guard stops this change',
    text: 'It would move more devices than a subscription allows without a confirmation:',
    again: 'The numbers have changed since you confirmed.',
    moved: (entering: number, leaving: number, before: number) =>
      `+${formatNumber(entering)}, −${formatNumber(leaving)} of ${formatCount(before, 'device')}`,
    entering: 'Entering:',
    leaving: 'Leaving:',
    more: (count: number) => `and ${formatNumber(count)} more`,
    usedBy: (names: readonly string[]) => `Used by ${names.join(', ')}.`,
    save: 'Save anyway',
    restore: 'Restore anyway',
  },
  impact: (entering: number, leaving: number) =>
    entering + leaving === 0
      ? 'Saving changes no matches'
      : `Saving: +${formatNumber(entering)}, −${formatNumber(leaving)} devices`,
  /** Such as "2 subscriptions" and "1 filter". */
  usedBy: (uses: readonly { readonly kind: 'subscription' | 'filter' }[]) =>
    (['subscription', 'filter'] as const).flatMap((kind) => {
      const count = uses.filter((use) => use.kind === kind).length;
      return count === 0 ? [] : [formatCount(count, kind)];
    }),
  history: {
    versions: 'Versions',
    version: (version: number) => `Version ${version}`,
    current: 'Current version',
    created: 'Created',
    oldest: 'Oldest version kept',
    comparedWith: 'Compared with',
    difference: 'Difference of the conditions',
    marks: { same: 'unchanged', added: 'added', removed: 'removed' },
    restore: 'Restore',
    restoreVersion: (version: number) => `Restore version ${version}`,
    restored: 'Version restored.',
    saveFirst: 'Save or discard your changes before you restore a version.',
    notYours: 'Only people who can change this filter can restore a version.',
  },
  views: 'Filter views',
  save: 'Save',
  saved: 'Saved.',
  restored: 'Your unsaved changes were restored.',
  discard: 'Discard changes',
  discarded: 'Changes discarded.',
  unsaved: 'Unsaved changes',
  conflict: 'The filter could not be saved: another version was saved in the meantime.',
  sameChanges: 'Their version is the same as yours. There is nothing to save.',
  parts: { name: 'Name', description: 'Description', tree: 'Conditions' },
  changedBy: { them: 'changed by them', me: 'changed by you', both: 'changed by both', unknown: '' },
  theirs: 'Theirs',
  mine: 'Yours',
  keepBoth: 'Save both changes',
  gone: 'The filter could not be saved because it was deleted in the meantime. Save yours as a copy to keep it.',
  saveCopy: 'Save as a copy',
  overwrite: 'Overwrite theirs',
  loadTheirs: 'Use theirs',
  quota: 'The filter could not be saved because its organization has reached its limit.',
  quotaWhatToDo:
    'Delete unused filters, shorten this one, or save it in another organization. Your text is kept.',
  leaveTitle: 'Unsaved changes',
  leaveText: (name: string) =>
    `“${name}” has unsaved changes. If you leave, they are kept as a draft until you close this tab.`,
  leave: 'Leave without saving',
  stay: 'Stay',
  saveAndLeave: 'Save and leave',
  faulty: 'The filter has errors, marked below.',

  match: { AND: 'Match all', OR: 'Match any' },
  of: 'of',
  group: 'Group',
  condition: 'Condition',
  addCondition: 'Add condition',
  addGroup: 'Add group',
  removeNode: 'Remove',
  rearrange: (label: string) => `Move or copy ${label}`,
  rearrangeHint: 'Drag to move, with Ctrl or Alt to copy. Or press Alt and an arrow key. Click for more.',
  rearrangeMenu: 'Move or copy',
  steps: {
    up: 'Move up',
    down: 'Move down',
    in: 'Move into the group beside it',
    out: 'Move out of the group',
    duplicate: 'Duplicate',
    wrap: 'Wrap in a group',
    unwrap: 'Unwrap the group',
  },
  isAt: (place: {
    readonly label: string;
    readonly position: number;
    readonly size: number;
    readonly group: string;
    readonly level: number;
  }) => `${place.label} is now ${place.position} of ${place.size} in “${place.group}”, level ${place.level}.`,
  staysHere: 'It cannot move there.',
  undoStep: 'Undo',
  redoStep: 'Redo',
  field: 'Field',
  chooseField: 'Choose a field',
  noField: 'No matching fields',
  softwareTitle: 'Software title',
  chooseTitle: 'Choose a title',
  ring: 'Ring',
  ringShare: (percent: number) => `${formatPercent(percent)} of devices`,
  percent: '%',
  operator: 'Operator',
  value: 'Value',
  chooseValue: 'Choose a value',
  addValue: 'Type and press Enter',
  noChoice: 'No matches',
  removeValue: (value: string) => `Remove ${value}`,
  from: 'From',
  to: 'To',
  and: 'and',
  amount: 'Amount',
  unit: 'Unit',
  time: 'Include time',
  yes: 'yes',
  no: 'no',
  folded: 'A group nested too deep for the builder',
  openText: 'Open in Text',
  unfinished: (count: number) =>
    `${formatCount(count, 'condition is', 'conditions are')} incomplete and not counted.`,
  operators: {
    equals: 'is',
    notEquals: 'is not',
    greaterThan: 'is greater than',
    greaterThanOrEquals: 'is at least',
    lessThan: 'is less than',
    lessThanOrEquals: 'is at most',
    contains: 'contains',
    notContains: 'does not contain',
    startsWith: 'starts with',
    endsWith: 'ends with',
    matches: 'matches pattern',
    in: 'is one of',
    notIn: 'is none of',
    hasAny: 'has any of',
    hasAll: 'has all of',
    isEmpty: 'is empty',
    isNotEmpty: 'is not empty',
    isNull: 'has no value',
    isNotNull: 'has a value',
    before: 'is before',
    after: 'is after',
    between: 'is between',
    withinLast: 'is within the last',
    notWithinLast: 'is not within the last',
  } satisfies Record<Operator, string>,
  units: {
    minutes: 'minutes',
    hours: 'hours',
    days: 'days',
    weeks: 'weeks',
    months: 'months',
  } satisfies Record<TimeUnit, string>,
  categories: {
    device: 'Device',
    capability: 'Needs attention',
    os: 'Operating system',
    hardware: 'Hardware',
    network: 'Network',
    metrics: 'Metrics',
    software: 'Software',
    patches: 'Patches',
    computed: 'Computed',
    custom: 'Custom fields',
  } satisfies Record<FieldCategory, string>,

  tooDeep: (levels: number, most: number) =>
    `This filter nests groups ${formatNumber(levels)} levels deep. The console edits up to ${formatNumber(most)} levels; use the API for more.`,

  text: 'Filter as text',
  halfKey: (text: string) => `“${text}” begins a field. To search for names with it, put it in quotes.`,
  textHint:
    'Example: status:online tags:vip seen:<7d (os:windows OR os:linux) -role:printer. Adjacent terms must all match.',
  textUnfinished: (count: number) =>
    `${formatCount(count, 'condition is', 'conditions are')} incomplete. Complete or remove them in the builder to see the text.`,
  textFaulty: 'The filter has errors that text cannot express. Fix them in the builder or in JSON.',
  json: 'Filter as JSON',
  jsonHint: 'A group {"operator": "AND" or "OR", "conditions": […]} of conditions and groups.',
  notJson: (reason: string) => `Invalid JSON: ${reason}`,
  pendingText: 'The text has an error and is not applied yet. Your text is saved.',
  pendingJson: 'The JSON has an error and is not applied yet. Your text is saved.',
  backToIt: 'Go back',
  dropIt: 'Discard',

  devices: (count: number) => formatCount(count, 'device'),
  ofAll: (count: number) => `of ${formatNumber(count)}`,
  evaluated: 'Evaluated',
  counting: 'Counting…',
  notCounted: 'Not counted',
  notExplained: 'The count for each condition could not be loaded.',
  nothingToCount: 'Complete a condition to count devices.',
  faults: {
    valueMissing: 'Enter a value.',
    notANumber: (text: string) => `“${text}” is not a number.`,
    tooLarge: 'This number is too large to compare exactly.',
    notADate: (text: string) => `“${text}” is not a date.`,
    notAChoice: (text: string, choices: readonly string[]) =>
      `“${text}” is not one of ${listValues(choices)}.`,
    noAmount: 'Enter an amount greater than 0.',
    wholeMonths: 'Enter a whole number of months.',
    reversed: '“From” must not be after “To”.',
  },
  faultsToMend: 'Fix the highlighted errors to update the count.',
  fieldGone: (key: string, near: string | null) =>
    near === null
      ? `The field “${key}” does not exist. Choose another one, or remove the condition.`
      : `The field “${key}” does not exist. Did you mean “${near}”?`,
  matchesTitle: 'Matching devices',
  showAll: (count: number) =>
    count === 1 ? 'Show in the device list' : `Show all ${formatNumber(count)} in the device list`,
  noMatches: 'No devices match.',
  emptiedBy: (field: string, count: number, isEstimate: boolean) =>
    `Without the condition on ${field}, ${devices(count, isEstimate)} would match.`,
  emptiedByGroup: (size: number, count: number, isEstimate: boolean) =>
    `Without the group of ${formatCount(size, 'condition')}, ${devices(count, isEstimate)} would match.`,
  rarest: (field: string, count: number, isEstimate: boolean) =>
    count > 0
      ? `The condition on ${field} alone matches ${devices(count, isEstimate)}; the rest rules them out.`
      : `${isEstimate ? 'Few or no devices match' : 'No device matches'} the condition on ${field}.`,
  deviceColumns: {
    name: 'Name',
    status: 'Status',
    os: 'OS',
    lastSeen: 'Last seen',
    organization: 'Organization',
  },
  os: { windows: 'Windows', macos: 'macOS', linux: 'Linux' },
  never: 'Never',
  why: 'Why?',
  whyNamed: (device: string) => `Why does ${device} match?`,
  alone: (count: number, margin: number | null) =>
    margin === null
      ? `${formatCount(count, 'device matches', 'devices match')} this alone`
      : `About ${formatCount(count, 'device matches', 'devices match')} this alone, ${formatNumber(margin)} more or fewer`,
  estimate: (count: number, margin: number | null) =>
    margin === null ? formatNumber(count) : `≈ ${formatNumber(count)}`,
  sampled: (devices: number, of: number) =>
    `The total is exact. The numbers at the conditions are estimates from ${formatNumber(devices)} of ${formatNumber(of)} devices; 95 of 100 are right to within ${formatNumber(Math.ceil(980 / Math.sqrt(devices)) / 10)} percentage points.`,
  changesNothing: 'has no effect',
  changesNothingHint: 'The group matches the same number of devices without this.',
  without: (count: number, isEstimate: boolean) => `without it: ${devices(count, isEstimate)}`,
  emptiesHint: (count: number, isEstimate: boolean) =>
    `No device matches the group. Without this, ${devices(count, isEstimate)} would match.`,
  tooMany:
    'This filter has more than 500 conditions and groups, so only its total is counted. Combine many values of one field with “is one of”.',

  whyTitle: 'Why is a device (not) in here?',
  whyTitleOf: (device: string, isIn: boolean) => `Why is ${device} ${isIn ? '' : 'not '}in here?`,
  whyText: 'Choose a device to see which conditions it meets.',
  device: 'Device',
  noDevice: (text: string, organization: string | undefined) =>
    `No device${organization === undefined ? '' : ` in ${organization}`} matches “${text}”`,
  searching: 'Searching…',
  isIn: (device: string) => `${device} matches. It meets the conditions with a check mark.`,
  isOut: (device: string) => `${device} does not match because of the conditions with a cross.`,
  forget: 'Clear',
  matchesHere: 'matches',
  matchesNotHere: 'does not match',
  has: (value: string) => `has ${value}`,
  hasNothing: 'has no value',
};
