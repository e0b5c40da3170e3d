/** The schema of a database as its catalogue has it, in lines that can be compared. */
import { Client } from 'pg';

/**
 * Sorted; names of roles without that of the database. Columns of a table are in no order, as they grew in time. The
 * months of the audit log are left out, which are made as they are needed.
 */
export async function readCatalogue(url: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string; database: string; owner: string }>(
      `select line, current_database() as database, current_user as owner from (${LINES.join('\nunion all\n')}) l(line)`,
    );
    return rows
      .filter(({ line }) => !/m_[0-9]{4}_[0-9]{2}/.test(line))
      .map(({ line, database, owner }) => line.replaceAll(database, 'db').replaceAll(owner, 'owner'))
      .sort();
  } finally {
    await client.end();
  }
}

const OURS = `n.nspname in ('public', 'audit_months')`;
const NOT_OF_EXTENSION = (oid: string) =>
  `not exists (select from pg_depend x where x.objid = ${oid} and x.deptype = 'e')`;

const LINES: readonly string[] = [
  `select concat_ws(' ', 'relation', n.nspname, c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
            obj_description(c.oid, 'pg_class'))
   from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and ${NOT_OF_EXTENSION('c.oid')}`,
  `select concat_ws(' ', 'grant', c.relname, g.grantee::regrole, g.privilege_type)
   from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join aclexplode(c.relacl) g
   where ${OURS} and g.grantee <> 0`,
  `select concat_ws(' ', 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
            (select collname from pg_collation where oid = a.attcollation), pg_get_expr(d.adbin, d.adrelid),
            col_description(c.oid, a.attnum))
   from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where ${OURS} and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p')`,
  `select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid))
   from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  `select concat_ws(' ', 'constraint', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
   from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${OURS}`,
  `select concat_ws(' ', 'trigger', t.tgrelid::regclass, pg_get_triggerdef(t.oid))
   from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
   where ${OURS} and not t.tgisinternal`,
  `select concat_ws(' ', 'function', pg_get_functiondef(p.oid))
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS} and p.prokind <> 'a' and ${NOT_OF_EXTENSION('p.oid')}`,
  `select concat_ws(' ', 'aggregate', p.oid::regprocedure, a.aggtransfn, a.aggfinalfn, a.aggtranstype::regtype, a.agginitval)
   from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid join pg_namespace n on n.oid = p.pronamespace
   where ${OURS} and ${NOT_OF_EXTENSION('p.oid')}`,
  `select concat_ws(' ', 'policy', tablename, policyname, permissive, roles, cmd, qual, with_check) from pg_policies`,
  `select concat_ws(' ', 'enum', t.typname, string_agg(e.enumlabel, ',' order by e.enumsortorder))
   from pg_type t join pg_enum e on e.enumtypid = t.oid group by t.oid, t.typname`,
];
