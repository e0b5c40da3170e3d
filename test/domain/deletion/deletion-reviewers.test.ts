/** Who is told about a request: the nearest administrators, and never the person who asked (Contract: §7, "Mail"). */
import { expect, test } from 'vitest';
import { chooseReviewers, type ReviewerCandidate } from '#domain/deletion/deletion-reviewers.ts';
import { newId } from '#test/support/builders.ts';

const USERS_WRITE = ['users:write'];

function candidate(scope: ReviewerCandidate['scope'], given: Partial<ReviewerCandidate> = {}) {
  const person = { userId: newId<'user'>(), email: `${scope}@example.com`, name: null };
  return { person, scope, permissions: USERS_WRITE, isPlatformAdmin: false, ...given };
}

const PEOPLE = {
  'of the organization': candidate('organization'),
  'of the organization too': candidate('organization', { permissions: ['devices:write', 'users:write'] }),
  'of the partner': candidate('partner'),
  'of the partner too': candidate('partner'),
  'of the system': candidate('system'),
  'platform administrator': candidate('system', { isPlatformAdmin: true }),
  'platform administrator without users:write': candidate('system', {
    isPlatformAdmin: true,
    permissions: [],
  }),
  'platform administrator of the organization, without users:write': candidate('organization', {
    isPlatformAdmin: true,
    permissions: ['devices:write'],
  }),
  'platform administrator of the partner': candidate('partner', { isPlatformAdmin: true }),
} as const;
type Name = keyof typeof PEOPLE;

const ALL = Object.keys(PEOPLE) as Name[];
const WITHOUT_ORGANIZATION = ALL.filter((name) => !name.startsWith('of the organization'));
const PLATFORM_ADMINS: readonly Name[] = [
  'platform administrator',
  'platform administrator without users:write',
  'platform administrator of the organization, without users:write',
];

test.each<[string, readonly Name[], Name | null, readonly Name[]]>([
  ['administrators of the organization', ALL, null, ['of the organization', 'of the organization too']],
  ['all of them but the requester', ALL, 'of the organization', ['of the organization too']],
  [
    'the partner, if the requester is the only one of the organization',
    [...WITHOUT_ORGANIZATION, 'of the organization'],
    'of the organization',
    ['of the partner', 'of the partner too', 'platform administrator of the partner'],
  ],
  [
    'the partner without the requester',
    WITHOUT_ORGANIZATION,
    'of the partner',
    ['of the partner too', 'platform administrator of the partner'],
  ],
  [
    'platform administrators, if the requester is the only one of the partner',
    [...PLATFORM_ADMINS, 'of the system', 'of the partner'],
    'of the partner',
    PLATFORM_ADMINS,
  ],
  [
    'platform administrators only, if there is nobody else',
    ['of the system', ...PLATFORM_ADMINS],
    null,
    PLATFORM_ADMINS,
  ],
  [
    'platform administrators without the requester',
    ['of the system', 'platform administrator', 'platform administrator without users:write'],
    'platform administrator',
    ['platform administrator without users:write'],
  ],
  [
    'nobody, if the requester is the only platform administrator',
    ['of the system', 'platform administrator'],
    'platform administrator',
    [],
  ],
  ['nobody, if nobody is there', [], null, []],
])('tells %s', (_whom, names, requester, told) => {
  const userId = requester === null ? newId<'user'>() : PEOPLE[requester].person.userId;
  const chosen = chooseReviewers(
    names.map((name) => PEOPLE[name]),
    userId,
  );
  expect(chosen).toStrictEqual(told.map((name) => PEOPLE[name].person));
});
