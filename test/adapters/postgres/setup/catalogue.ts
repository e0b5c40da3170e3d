/** A database's schema from its catalogue, as sorted lines that can be compared. */
import { Client } from 'pg';

/**
 * Names of the database and of its owner are replaced, since roles are named after them. White space in functions does
 * not count, and the months of the audit log are left out: they are made when needed.
 */
export async function readCatalogue(url: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Without a search path, every name includes its schema.
    await client.query(`set search_path = ''`);
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

/** Privileges, one line each; `from` has the column `name` and the access list `acl`. */
const grants = (from: string) =>
  `select concat_ws(' ', 'grant', g.name,
     case a.grantee when 0 then 'public' else a.grantee::regrole::text end, a.privilege_type, a.is_grantable)
   from (${from}) g(name, acl) cross join aclexplode(g.acl) a`;

const LINES: readonly string[] = [
  `select concat_ws(' ', 'schema', n.nspname, n.nspowner::regrole, obj_description(n.oid, 'pg_namespace'))
   from pg_namespace n where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> 'public'`,
  `select concat_ws(' ', 'extension', e.extname, e.extnamespace::regnamespace, e.extversion) from pg_extension e`,
  `select concat_ws(' ', 'collation', c.collname, c.collprovider, c.collisdeterministic, to_jsonb(c) - 'oid' - 'collnamespace' - 'collowner',
     c.collowner::regrole, obj_description(c.oid, 'pg_collation'))
   from pg_collation c join pg_namespace n on n.oid = c.collnamespace where ${OURS}`,
  `select concat_ws(' ', 'type', t.oid::regtype, t.typowner::regrole, obj_description(t.oid, 'pg_type'),
     (select string_agg(e.enumlabel, ',' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
   from pg_type t join pg_namespace n on n.oid = t.typnamespace
   where ${OURS} and t.typtype in ('e', 'd', 'r') and ${NOT_OF_EXTENSION('t.oid')}`,
  `select concat_ws(' ', 'relation', c.oid::regclass, c.relkind, c.relpersistence, c.relowner::regrole, c.relreplident,
     'security', c.relrowsecurity, c.relforcerowsecurity, c.reloptions, c.relispartition, pg_get_expr(c.relpartbound, c.oid),
     (select am.amname from pg_am am where am.oid = c.relam),
     (select string_agg(i.inhparent::regclass::text, ',') from pg_inherits i where i.inhrelid = c.oid),
     obj_description(c.oid, 'pg_class'))
   from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and ${NOT_OF_EXTENSION('c.oid')}`,
  // Debian's 15.20 writes a counter, pg_attver, among the options of columns.
  `select concat_ws(' ', 'column', c.oid::regclass, row_number() over (partition by c.oid order by a.attnum), a.attname,
     format_type(a.atttypid, a.atttypmod), 'not null', a.attnotnull, a.attidentity, a.attgenerated, a.attstorage,
     a.attcompression, 'statistics', nullif(a.attstattarget, -1), array(select o from unnest(a.attoptions) o where o !~ '^pg_attver='),
     (select collname from pg_collation where oid = a.attcollation), pg_get_expr(d.adbin, d.adrelid),
     col_description(c.oid, a.attnum))
   from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where ${OURS} and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'i', 'I', 'v', 'm')`,
  `select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisclustered, i.indisreplident)
   from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  `select concat_ws(' ', 'constraint', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid), k.convalidated,
     obj_description(k.oid, 'pg_constraint'))
   from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${OURS}`,
  `select concat_ws(' ', 'sequence', s.seqrelid::regclass, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin,
     s.seqmax, s.seqcache, s.seqcycle,
     (select d.refobjid::regclass || '.' || d.refobjsubid from pg_depend d
      where d.objid = s.seqrelid and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass))
   from pg_sequence s`,
  `select concat_ws(' ', 'trigger', t.tgrelid::regclass, t.tgenabled, pg_get_triggerdef(t.oid),
     obj_description(t.oid, 'pg_trigger'))
   from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
   where ${OURS} and not t.tgisinternal`,
  `select concat_ws(' ', 'function', p.proowner::regrole, obj_description(p.oid, 'pg_proc'),
     btrim(regexp_replace(regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g'), ' ?([();]) ?', '\\1', 'g')))
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where ${OURS} and p.prokind <> 'a' and ${NOT_OF_EXTENSION('p.oid')}`,
  `select concat_ws(' ', 'aggregate', p.oid::regprocedure, p.proowner::regrole, a.aggtransfn, a.aggfinalfn,
     a.aggtranstype::regtype, a.agginitval)
   from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid join pg_namespace n on n.oid = p.pronamespace
   where ${OURS} and ${NOT_OF_EXTENSION('p.oid')}`,
  `select concat_ws(' ', 'policy', tablename, policyname, permissive, roles, cmd, qual, with_check) from pg_policies`,
  `select concat_ws(' ', 'statistics object', pg_get_statisticsobjdef(oid)) from pg_statistic_ext`,
  `select concat_ws(' ', 'rule', pg_get_ruledef(r.oid)) from pg_rewrite r
   join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  `select concat_ws(' ', 'event trigger', evtname) from pg_event_trigger`,
  grants(
    `select c.oid::regclass::text, c.relacl from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  ),
  grants(
    `select a.attrelid::regclass || '.' || a.attname, a.attacl from pg_attribute a
     join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  ),
  grants(
    `select p.oid::regprocedure::text, coalesce(p.proacl, acldefault('f', p.proowner)) from pg_proc p
     join pg_namespace n on n.oid = p.pronamespace where ${OURS} and ${NOT_OF_EXTENSION('p.oid')}`,
  ),
  grants(`select n.nspname::text, n.nspacl from pg_namespace n where ${OURS}`),
  grants('select d.datname::text, d.datacl from pg_database d where d.datname = current_database()'),
  grants(`select 'default ' || d.defaclobjtype::text, d.defaclacl from pg_default_acl d`),
];
