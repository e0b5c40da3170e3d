/**
 * What the suites need of a test framework. They take it as an argument, since other projects test their adapters
 * with another framework: Vitest, Jest and Bun have all of this, and so has `node:test` with the package `expect`.
 * Everything beyond the five functions, such as tables of cases, is built on them here.
 */

/** As Vitest exports them. */
export interface TestFunctions {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: () => unknown, timeoutMs?: number) => unknown;
  readonly beforeAll: (body: () => unknown) => unknown;
  readonly beforeEach: (body: () => unknown) => unknown;
  readonly expect: Expect;
}

/** As in Jest and Vitest. */
export interface Expect {
  (value: unknown): Matchers;
  objectContaining(members: object): unknown;
  arrayContaining(elements: readonly unknown[]): unknown;
}

/** What `expect` gives; suites use no others. */
export interface Matchers extends Matching<void> {
  readonly rejects: Matching<Promise<void>>;
  readonly resolves: Matching<Promise<void>>;
}

interface Matching<R> {
  readonly not: Matching<R>;
  toBe(expected: unknown): R;
  toEqual(expected: unknown): R;
  toStrictEqual(expected: unknown): R;
  toMatchObject(expected: object): R;
  toBeNull(): R;
  toBeUndefined(): R;
  toHaveLength(length: number): R;
  toHaveProperty(path: string, value?: unknown): R;
  toContain(element: unknown): R;
  toContainEqual(element: unknown): R;
  toBeGreaterThan(number: number): R;
  toBeGreaterThanOrEqual(number: number): R;
  toBeLessThan(number: number): R;
  toBeLessThanOrEqual(number: number): R;
  toThrow(expected?: unknown): R;
}

/** A table of cases: arrays are spread into arguments, anything else is the one argument. */
interface Each {
  <T extends unknown[] | [unknown]>(cases: readonly T[]): ForEach<T>;
  <T extends readonly unknown[]>(cases: readonly T[]): ForEach<[...T]>;
  <T>(cases: readonly T[]): ForEach<[T]>;
}

/** `%s`, `%i`, `%d` and `%j` in the name stand for the arguments in turn, `$member` for a member of the first. */
type ForEach<A extends readonly unknown[]> = (name: string, body: (...args: A) => unknown) => void;

let functions: TestFunctions | null = null;

/** From now on, suites are registered with this framework; a process has one. */
export function provideTestFunctions(given: TestFunctions): void {
  functions = given;
}

function framework(): TestFunctions {
  if (functions !== null) return functions;
  throw new Error('no test functions are in use: get the suites from contractsWith({ describe, test, ... })');
}

export const describe = Object.assign(
  (name: string, body: () => void): void => void framework().describe(name, body),
  { each: makeEach((name, body) => framework().describe(name, () => void body())) },
);

/** Some tests load thousands of devices, and frameworks give five seconds. In milliseconds. */
const TIMEOUT_MS = 120_000;

function addTest(name: string, body: () => unknown): void {
  framework().test(name, body, TIMEOUT_MS);
}

export const test = Object.assign(addTest, { each: makeEach(addTest) });

export function beforeAll(body: () => unknown): void {
  framework().beforeAll(body);
}

export function beforeEach(body: () => unknown): void {
  framework().beforeEach(body);
}

export const expect: Expect = Object.assign((value: unknown) => framework().expect(value), {
  objectContaining: (members: object) => framework().expect.objectContaining(members),
  arrayContaining: (elements: readonly unknown[]) => framework().expect.arrayContaining(elements),
});

function makeEach(register: (name: string, body: () => unknown) => unknown): Each {
  return (cases: readonly unknown[]) =>
    (name: string, body: (...args: never) => unknown): void => {
      for (const one of cases) {
        const args = Array.isArray(one) ? one : [one];
        register(nameOfCase(name, args), () => body(...(args as never)));
      }
    };
}

function nameOfCase(name: string, args: readonly unknown[]): string {
  let next = 0;
  return name.replace(/%[sjid]|\$(\w+)/g, (written, member: string | undefined) => {
    if (member === undefined) return written === '%j' ? JSON.stringify(args[next++]) : String(args[next++]);
    const [first] = args;
    return typeof first === 'object' && first !== null && member in first
      ? String(first[member as keyof typeof first])
      : written;
  });
}
