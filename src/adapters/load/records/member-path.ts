/** Paths inside a record, as faults show them: `.hardware.cpuCores`, `.software[3].name`, `.custom["Asset tag"]`. */

/** One step into an object (a name) or an array (an index). */
export function pathSegment(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return PLAIN_NAME.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, MAX_NAME_LENGTH))}]`;
}

const MAX_NAME_LENGTH = 100;

const PLAIN_NAME = /^[A-Za-z_]\w{0,99}$/;
