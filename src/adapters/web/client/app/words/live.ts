import { formatCount, formatNumber } from '#console/parts/display/format.ts';
import type { ChangeCause } from '#domain/membership/membership-change.ts';
import type { SubscriptionKind, SubscriptionState } from '#domain/membership/subscription.ts';

export const liveWords = {
  emptyTitle: 'Nothing follows this filter yet',
  emptyText:
    'With a subscription, devices that enter and leave the filter are recorded as it happens. You see them here, and an engine, a group or a script can follow them.',
  emptyOthers: 'Someone who can change the filter and edit devices can add a subscription.',
  noneActive: 'No subscription is active, so nothing is recorded. Resume one to catch up, or add another.',

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
  kindTexts: {
    feed: 'A program reads it: first the members, then each change in order, from where it stopped.',
    webhook:
      'Each change is posted to an address, in order and signed. What fails is tried again for three days.',
    mail: 'People are told by mail.',
  } satisfies Record<SubscriptionKind, string>,
  url: 'URL',
  urlHint: 'Where changes are posted. It begins with https://.',
  recipients: 'Recipients',
  recipientsHint: 'People with access to the filter. Those who lose it get no more mails.',
  findPerson: 'Find a person',
  anotherPerson: 'Another person',
  notify: 'When',
  notifies: {
    changes: 'Devices enter or leave',
    above: 'More devices match than',
    below: 'Fewer devices match than',
  },
  line: 'Number of devices',
  missing: {
    kind: 'Choose a kind.',
    name: 'Enter a name.',
    url: 'Enter a URL.',
    recipients: 'Choose at least one person.',
    notify: 'Choose when.',
    line: 'Enter a whole number.',
    batchMinutes: 'Enter a number of minutes.',
  },
  batch: 'At most one mail in so many minutes',
  target: 'Goes to',
  people: (count: number) => formatCount(count, 'person', 'people'),
  notifyShort: {
    changes: 'every change',
    above: (line: number) => `above ${formatNumber(line)}`,
    below: (line: number) => `below ${formatNumber(line)}`,
  },
  state: 'State',
  states: { active: 'Active', paused: 'Paused', ended: 'Ended' } satisfies Record<SubscriptionState, string>,
  created: 'Created',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  pause: 'Pause',
  resume: 'Resume',
  edit: 'Edit',
  editTitle: (name: string) => `Edit “${name}”`,
  connect: 'How to read it',
  connectTitle: (name: string) => `Reading “${name}”`,
  connectText:
    'Read the members once. Then ask for the changes after the cursor that came with them, again and again with the latest cursor. Both need an API key.',
  membersAddress: 'Members',
  changesAddress: 'Changes',
  copyMembers: 'Copy the address of the members',
  copyChanges: 'Copy the address of the changes',
  done: 'Done',
  secretTitle: (name: string) => `The secret of “${name}”`,
  secretText:
    'Receivers check the signature of each message with it, as Standard Webhooks says. It is shown only now.',
  copySecret: 'Copy secret',
  kept: 'I have stored it',
  renew: 'Renew secret',
  renewTitle: (name: string) => `Renew the secret of “${name}”?`,
  renewText: 'The current secret signs along for 24 hours, so that receivers can change over.',
  deliveries: 'Deliveries',
  deliveriesOf: (name: string) => `Deliveries of “${name}”`,
  noDeliveries: 'Nothing was delivered yet.',
  deliveryStatuses: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  content: 'Content',
  testContent: 'Test',
  changesContent: 'Changes',
  answer: 'Answer',
  took: 'Took',
  stopped: {
    paused:
      'It is paused, by somebody or because its receiver failed for three days. Resuming goes on where it stopped.',
    ended: 'It has ended, because its receiver is gone for good.',
  },
  again: 'Send again',
  test: 'Send a test',
  expiredTitle: (name: string) => `Resume “${name}” from now?`,
  expiredText: 'Changes that it missed are no longer kept. It can resume with what changes from now on.',
  resumeNow: 'Resume from now',
  save: 'Save',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeText: 'What follows it is told nothing from then on.',
  removeLast: 'It is the only active subscription, so changes of the filter are no longer recorded.',
  said: {
    added: (name: string) => `“${name}” added.`,
    paused: (name: string) => `“${name}” paused.`,
    active: (name: string) => `“${name}” resumed.`,
    saved: (name: string) => `“${name}” saved.`,
    removed: (name: string) => `“${name}” deleted.`,
  },
};
