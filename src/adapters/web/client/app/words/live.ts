import { formatCount, formatNumber } from '#console/parts/display/format.ts';
import type { ChangeCause } from '#domain/membership/membership-change.ts';
import type { SubscriptionKind, SubscriptionState } from '#domain/membership/subscription.ts';

export const liveWords = {
  emptyTitle: 'Nothing follows this filter yet',
  emptyText:
    'With a subscription, devices that enter and leave the filter are recorded as it happens. You see them here, and an engine, a group or a script can follow them.',
  emptyOthers: 'Someone who can edit devices can add a subscription.',
  partnerText:
    'Filters that cover all organizations of a partner cannot have subscriptions yet. Save a copy for one organization to follow it.',
  paused: 'Every subscription is paused, so nothing is recorded. Resume one to catch up.',

  members: 'Members over time',
  now: (count: number) => formatCount(count, 'device'),
  summary: (chart: {
    readonly from: string;
    readonly to: string;
    readonly least: number;
    readonly most: number;
    readonly last: number;
  }) =>
    `Line chart from ${chart.from} to ${chart.to}: between ${formatNumber(chart.least)} and ${formatCount(chart.most, 'device')}, now ${formatNumber(chart.last)}.`,
  soon: 'The first members are being counted.',
  asTable: 'Show as a table',
  when: 'When',
  devices: 'Devices',
  shownChanges: (most: number) => `The last ${formatNumber(most)} times when the number changed.`,

  changes: 'Recent changes',
  noChanges: 'No device has entered or left since the filter is followed.',
  more: 'Show more',
  entered: 'Entered',
  left: 'Left',
  degraded: 'The filter cannot be evaluated, so its members stay as they are.',
  recovered: 'The filter is evaluated again.',
  causes: {
    device: 'the device changed',
    time: 'time passed',
    filter: 'the filter or one of its fields changed',
    deleted: 'it was deleted or merged',
    moved: 'it moved between organizations',
  } satisfies Record<ChangeCause, string>,
  goneDevice: 'A deleted device',

  subscriptions: 'Subscriptions',
  add: 'Add subscription',
  addTitle: 'Add a subscription',
  name: 'Name',
  nameHint: 'What follows the filter, such as “Patch group of the engine”.',
  kind: 'Kind',
  kinds: { feed: 'Feed', webhook: 'Webhook', mail: 'Mail' } satisfies Record<SubscriptionKind, string>,
  feedText:
    'A feed is read by a program: first the members, then each change in order, from where it stopped.',
  state: 'State',
  states: { active: 'Active', paused: 'Paused', ended: 'Ended' } satisfies Record<SubscriptionState, string>,
  created: 'Created',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  pause: 'Pause',
  resume: 'Resume',
  edit: 'Edit',
  editTitle: (name: string) => `Edit “${name}”`,
  nameMissing: 'Enter a name.',
  connect: 'How to read it',
  connectTitle: (name: string) => `Reading “${name}”`,
  connectText:
    'Read the members once. Then ask for the changes after the cursor that came with them, again and again with the latest cursor. Both need an API key.',
  membersAddress: 'Members',
  changesAddress: 'Changes',
  copyMembers: 'Copy the address of the members',
  copyChanges: 'Copy the address of the changes',
  done: 'Done',
  save: 'Save',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeText: 'What reads it gets an error from then on.',
  removeLast: 'It is the only active subscription, so changes of the filter are no longer recorded.',
  said: {
    added: (name: string) => `“${name}” added.`,
    paused: (name: string) => `“${name}” paused.`,
    active: (name: string) => `“${name}” resumed.`,
    saved: (name: string) => `“${name}” saved.`,
    removed: (name: string) => `“${name}” deleted.`,
  },
};
