/** `fleetsift/postgres-regex`: PostgreSQL's regular expressions inside the process, for `matches`. */
export { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
