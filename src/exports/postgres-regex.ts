/** `fleetsift/postgres-regex`: PostgreSQL's regular expressions in process, for `matches`. */
export { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
