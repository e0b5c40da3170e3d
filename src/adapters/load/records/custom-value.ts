import { isObject, numberFault, textFault } from './value-faults.ts';

/** Far deeper than real data; PostgreSQL's jsonb stops at some thousands. */
const MAX_DEPTH = 100;

/** Why the value cannot be stored, or null. Iterative, so that depth cannot overflow the stack. */
export function customValueFault(value: unknown): string | null {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.depth > MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} levels deep`;
    const fault = scalarFault(top.value);
    if (fault !== null) return fault;
    const depth = top.depth + 1;
    if (Array.isArray(top.value)) {
      for (const element of top.value) stack.push({ value: element, depth });
    } else if (isObject(top.value)) {
      for (const [name, member] of Object.entries(top.value)) {
        const nameFault = textFault(name);
        if (nameFault !== null) return nameFault;
        stack.push({ value: member, depth });
      }
    }
  }
  return null;
}

function scalarFault(value: unknown): string | null {
  if (typeof value === 'string') return textFault(value);
  return typeof value === 'number' ? numberFault(value) : null;
}
