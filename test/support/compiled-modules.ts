/** Lets processes under test share compiled modules, because compiling is half of the cost of a start. */
import { resolve } from 'node:path';

/** For the environment of a process. The process writes to the cache when it ends, unless it is killed. */
export const COMPILED_MODULES = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/fleetsift-compiled'),
} as const;
