import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Person } from '#adapters/http/api-types.ts';
import { type ApiAnswer, ApiError } from '#console/api/http.ts';
import { PEOPLE_KEY, personQuery } from '#console/api/people.ts';
import { useApi } from '#console/app/services.ts';
import { hasFactor, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { ForAdministrators } from '#console/pages/administration/for-administrators.tsx';
import { type Fact, Facts } from '#console/pages/facts.tsx';
import { useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { NeedsFactor } from '#console/pages/needs-factor.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import card from '#console/parts/layout/card.module.css';
import { BadgedHeading, Page } from '#console/parts/layout/page.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import styles from './people.module.css';
import { type Asked, PersonActions, PersonDialog } from './person-actions.tsx';
import { ActivityCard, KeysCard, SessionsCard } from './person-lists.tsx';
import { PersonStatusBadge } from './person-status.tsx';
import { holdOn, useGiver } from './rights.ts';
import { usePersonChange } from './use-person-change.ts';
import { sentencesOf } from './what-they-do.ts';

const route = getRouteApi('/shell/people/$id');

const said = words.people;

export function PersonPage() {
  const { id } = route.useParams();
  // A new key drops the outcome shown for the previous person.
  return (
    <ForAdministrators title={said.person}>
      <OnePerson key={id} id={id} />
    </ForAdministrators>
  );
}

function OnePerson({ id }: { readonly id: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const user = useUser();
  const giver = useGiver();
  const { data: read, error, refetch } = useQuery(personQuery(api, id));
  const [asked, setAsked] = useState<Asked | null>(null);
  const [outcome, setOutcome] = useState<string | null>(null);
  const { fault, send } = useSending();
  const changePerson = usePersonChange();

  if (error instanceof ApiError && error.status === 404) {
    return (
      <Page title={said.person}>
        <Empty title={words.notFoundTitle} text={said.gone}>
          <Link to="/people">{said.toList}</Link>
        </Empty>
      </Page>
    );
  }

  function done(text: string, now?: ApiAnswer<Person>) {
    setAsked(null);
    setOutcome(text);
    if (now !== undefined) queries.setQueryData(personQuery(api, id).queryKey, now);
    void queries.invalidateQueries({ queryKey: PEOPLE_KEY });
    // The user menu shows this name.
    if (id === user.id) void queries.invalidateQueries({ queryKey: ['user'] });
  }

  const person = read?.data;
  const hold = person !== undefined && giver !== undefined ? holdOn(giver, person) : null;
  const mayChange = hasFactor(user) && hold === 'may-change';
  const mayRename = hasFactor(user) && (mayChange || hold === 'own-account');
  return (
    <Page
      title={person?.name ?? said.person}
      heading={
        <BadgedHeading title={person?.name ?? said.person}>
          {person !== undefined && <PersonStatusBadge status={person.status} />}
        </BadgedHeading>
      }
      actions={
        mayChange &&
        read !== undefined && (
          <PersonActions
            person={read.data}
            ask={setAsked}
            act={(action) => void send(async () => done(await action()))}
            enable={async () => {
              await changePerson(read, { status: 'active' });
              return said.enabled(read.data.name);
            }}
          />
        )
      }
    >
      {!hasFactor(user) && <NeedsFactor>{said.needsFactor}</NeedsFactor>}
      {hold === 'own-account' && <Notice kind="info">{said.ownAccount}</Notice>}
      {hold === 'beyond' && <Notice kind="info">{said.beyondYou}</Notice>}
      {outcome !== null && <Notice kind="success">{outcome}</Notice>}
      <ErrorNotice error={fault} />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {(person !== undefined || error === null) && (
        <div className={card.columns}>
          <div className="stack">
            <Who person={person} {...(mayRename && { onRename: () => setAsked('rename') })} />
            {person !== undefined && (
              <Can person={person} {...(mayChange && { onChange: () => setAsked('access') })} />
            )}
          </div>
          {person !== undefined && (
            <div className="stack">
              {person.status !== 'invited' && (
                <>
                  <SessionsCard person={person} mayChange={mayChange} />
                  <KeysCard person={person} mayChange={mayChange} />
                </>
              )}
              <ActivityCard person={person} />
            </div>
          )}
        </div>
      )}
      {asked !== null && read !== undefined && giver !== undefined && (
        <PersonDialog asked={asked} giver={giver} read={read} onDone={done} onClose={() => setAsked(null)} />
      )}
    </Page>
  );
}

interface WhoProps {
  readonly person: Person | undefined;
  readonly onRename?: () => void;
}

function Who({ person, onRename }: WhoProps) {
  const action = onRename !== undefined && (
    <Button isCompact onPress={onRename}>
      {said.rename}
    </Button>
  );
  return (
    <TitledCard title={said.who} action={action}>
      <Facts rows={factsOf(person)} />
    </TitledCard>
  );
}

function factsOf(person: Person | undefined): readonly Fact[] {
  const { name, email, mfa, identityProvider, lastSignInAt, createdAt, id } = person ?? {};
  return [
    [said.name, name],
    [said.email, email],
    [said.factors, mfa && factorsOf(mfa)],
    ...(identityProvider == null ? [] : [[said.provider, identityProvider.name] as const]),
    [
      said.lastSignIn,
      lastSignInAt === null ? said.neverSignedIn : lastSignInAt && <Time at={lastSignInAt} as="dateTime" />,
    ],
    [said.since, createdAt && <Time at={createdAt} as="dateTime" />],
    [said.id, id && <code>{id}</code>],
  ];
}

function factorsOf({ totp, passkeys }: Person['mfa']): string {
  const factors = [...(totp ? [said.authenticator] : []), ...(passkeys > 0 ? [said.passkeys(passkeys)] : [])];
  return factors.length === 0 ? said.noFactor : factors.join(', ');
}

interface CanProps {
  readonly person: Person;
  readonly onChange?: () => void;
}

function Can({ person, onChange }: CanProps) {
  const { nameOf } = useOrganizations();
  const action = onChange !== undefined && (
    <Button isCompact onPress={onChange}>
      {said.changeAccess}
    </Button>
  );
  return (
    <TitledCard title={said.can} action={action}>
      {person.status === 'disabled' && <p>{said.cannotNow}</p>}
      {person.status === 'invited' && <p>{said.canOnceAccepted}</p>}
      <ul className={styles.sentences}>
        {sentencesOf(person, nameOf).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </TitledCard>
  );
}
