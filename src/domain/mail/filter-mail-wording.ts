/** Mails about devices that enter and leave a filter, and about its webhooks (Contract: §17). */
import type { ToldDevices } from '#domain/membership/change-digest.ts';
import {
  formatInstant,
  MAX_NAME,
  type MailBlock,
  type MailWording,
  paragraph,
  typedLine,
} from './mail-content.ts';
import type { FilterFacts, MailFacts } from './queued-mail.ts';

export function describeFilterChanges(facts: MailFacts['filter-changes'], baseUrl: string): MailWording {
  const { entered, left, passing, evaluation, from, to, isComplete } = facts;
  const heading = headingOf(facts);
  const when = from === to ? formatInstant(to) : `${formatInstant(from)} to ${formatInstant(to)}`;
  return {
    subject: `A filter has changed: ${heading}`,
    heading,
    blocks: [
      factsOf(facts, ['When', when]),
      ...devicesOf('Entered', entered),
      ...devicesOf('Left', left),
      ...(passing === 0 ? [] : [paragraph(`${passingOf(passing)}, and ended as before.`)]),
      ...(evaluation === null ? [] : [paragraph(EVALUATIONS[evaluation])]),
      ...(isComplete
        ? []
        : [paragraph('Earlier changes are no longer kept, so this mail does not have them.')]),
      linkOf(facts, baseUrl),
    ],
    footer: footerOf(baseUrl),
  };
}

function headingOf({ entered, left, passing, evaluation }: MailFacts['filter-changes']): string {
  if (entered.count + left.count > 0) return `${devices(entered.count)} entered, ${left.count} left`;
  if (passing > 0) return passingOf(passing);
  if (evaluation === null) return 'devices entered or left';
  return evaluation === 'degraded' ? 'it cannot be evaluated at present' : 'it can be evaluated again';
}

function passingOf(count: number): string {
  return `${devices(count)} entered and left in between`;
}

const EVALUATIONS = {
  degraded:
    'The filter cannot be evaluated at present, such as after a custom field was deleted. Its devices stay as they were.',
  recovered: 'For some time the filter could not be evaluated. It can be again.',
} as const;

export function describeFilterCount(facts: MailFacts['filter-count'], baseUrl: string): MailWording {
  const { line, isBack, at, count } = facts;
  const beyond = 'above' in line ? `above ${line.above}` : `below ${line.below}`;
  const heading = isBack ? `A filter is no longer ${beyond}` : `A filter is ${beyond}`;
  return {
    subject: `${heading}: ${devices(count)}`,
    heading,
    blocks: [factsOf(facts, ['When', formatInstant(at)]), linkOf(facts, baseUrl)],
    footer: footerOf(baseUrl),
  };
}

export function describeWebhookPaused(
  { at, name, filterId, problem }: MailFacts['webhook-paused'],
  baseUrl: string,
): MailWording {
  return {
    subject: 'A webhook was paused',
    heading: 'A webhook was paused',
    blocks: [
      paragraph(
        problem === null
          ? 'It was paused because changes that its receiver was not told are no longer kept.'
          : 'Its receiver has not accepted a delivery for three days.',
      ),
      {
        kind: 'facts',
        rows: [
          ['Webhook', typedLine(name, MAX_NAME)],
          ['Paused', formatInstant(at)],
          ...(problem === null ? [] : [['Last attempt', typedLine(problem, MAX_PROBLEM)] as const]),
        ],
      },
      paragraph(
        problem === null
          ? 'The receiver has to read the members of the filter again, and resume the webhook from their cursor.'
          : 'Once the receiver works again, resume the webhook. It continues where it stopped.',
      ),
      { kind: 'link', label: 'Open the filter', url: `${baseUrl}/filters/${filterId}` },
    ],
    footer: `You are receiving this mail because you can change the webhook at ${baseUrl}.`,
  };
}

const MAX_PROBLEM = 200;

function factsOf(
  { filterName, subscriptionName, count }: FilterFacts,
  ...more: readonly (readonly [string, string])[]
): MailBlock {
  return {
    kind: 'facts',
    rows: [
      ['Filter', typedLine(filterName, MAX_NAME)],
      ['Subscription', typedLine(subscriptionName, MAX_NAME)],
      ['Devices', String(count)],
      ...more,
    ],
  };
}

/** Quotes the names like text that a user typed, because agents report them. */
function devicesOf(verb: string, { count, names }: ToldDevices): readonly MailBlock[] {
  if (count === 0) return [];
  const label = count === names.length ? verb : `${verb}, the first ${names.length} of ${count}`;
  return [{ kind: 'quote', label, lines: names.map((name) => typedLine(name, MAX_NAME)) }];
}

function linkOf({ filterId }: FilterFacts, baseUrl: string): MailBlock {
  return { kind: 'link', label: 'Open the filter', url: `${baseUrl}/filters/${filterId}` };
}

function footerOf(baseUrl: string): string {
  return `You are receiving this mail because you are a recipient of this subscription at ${baseUrl}.`;
}

function devices(count: number): string {
  return count === 1 ? '1 device' : `${count} devices`;
}
