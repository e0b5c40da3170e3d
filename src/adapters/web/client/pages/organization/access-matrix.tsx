import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Organization, Person } from '#adapters/http/api-types.ts';
import { peopleWithAccessQuery } from '#console/api/people.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import styles from '#console/pages/people/people.module.css';
import { PersonStatusBadge } from '#console/pages/people/person-status.tsx';
import { useGiver } from '#console/pages/people/rights.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { LoadedTable } from '#console/parts/layout/loaded-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import { DEVICES_WRITE, USERS_WRITE } from '#domain/access/permission.ts';
import { mayGive } from '#domain/access/rights.ts';
import type { PartnerId } from '#domain/ids.ts';

const said = words.organization;

interface AccessMatrixProps {
  readonly organization: Pick<Organization, 'id' | 'partnerId'>;
  readonly mayChange: boolean;
}

/** Leaves out platform staff, who have access to all organizations. */
export function AccessMatrix({ organization: { id, partnerId }, mayChange }: AccessMatrixProps) {
  const giver = useGiver();
  const staff = { scope: 'partner', partnerId: partnerId as PartnerId, orgIds: null } as const;
  const reachesStaff =
    giver !== undefined && mayGive(giver, { membership: staff, permissions: [], isPlatformAdmin: false });
  const query = useQuery({
    ...peopleWithAccessQuery(useApi(), id, reachesStaff ? partnerId : null),
    enabled: giver !== undefined,
  });
  return (
    <TitledCard
      title={said.people}
      action={
        mayChange && (
          <Link to="/people" search={{ org: id, dialog: 'invite' }}>
            {said.invite}
          </Link>
        )
      }
    >
      <LoadedTable
        label={said.people}
        columns={COLUMNS}
        rows={query.data?.data}
        query={query}
        pendingRows={3}
        empty={said.noPeople}
      />
      {query.data !== undefined && query.data.nextCursor !== null && (
        <Link to="/people" search={{ org: id }}>
          {said.morePeople}
        </Link>
      )}
    </TitledCard>
  );
}

const COLUMNS: readonly Column<Person>[] = [
  {
    id: 'person',
    title: said.person,
    isMain: true,
    cell: ({ id, name, email, status }) => (
      <span className={styles.person}>
        <span>
          <Link to="/people/$id" params={{ id }}>
            {name}
          </Link>{' '}
          {status !== 'active' && <PersonStatusBadge status={status} />}
        </span>
        <span className={styles.email}>{email}</span>
      </span>
    ),
  },
  { id: 'place', title: words.people.place, cell: placeName },
  mark('reads', said.reads, () => true),
  mark('people', said.administersPeople, ({ permissions }) => permissions.includes(USERS_WRITE)),
  mark('devices', said.editsDevices, ({ permissions }) => permissions.includes(DEVICES_WRITE)),
];

function placeName({ organization, partner }: Person): string {
  return organization?.name ?? partner?.name ?? '—';
}

function mark(id: string, title: string, may: (person: Person) => boolean): Column<Person> {
  return {
    id,
    title,
    fits: true,
    cell: (person) => (
      <span className={styles.mark}>
        {may(person) ? <Icon name="check" /> : <span aria-hidden="true">—</span>}
        <span className="visually-hidden">{may(person) ? said.yes : said.no}</span>
      </span>
    ),
  };
}
