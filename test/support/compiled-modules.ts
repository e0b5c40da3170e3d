/** What processes under test have compiled, for those that begin after them: it is half of what a start costs. */
import { resolve } from 'node:path';

/** For the environment of a process. It leaves what it has compiled when it ends, and nothing where it is killed. */
export const COMPILED_MODULES = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/fleetsift-compiled'),
} as const;
