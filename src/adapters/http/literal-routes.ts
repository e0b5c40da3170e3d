/**
 * Finds routes as Hono's own router for any set of paths does, and remembers what it found for paths without a
 * parameter: there are few of them, and they are asked for all the time.
 */
import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

export class LiteralRoutesFirst<T> implements Router<T> {
  readonly name = 'LiteralRoutesFirst';
  readonly #routes = new TrieRouter<T>();
  readonly #literalPaths = new Set<string>();
  /** By method and path; as many as there are literal paths and methods that Node's parser knows. */
  readonly #found = new Map<string, Result<T>>();

  add(method: string, path: string, handler: T): void {
    this.#routes.add(method, path, handler);
    if (!PATTERN.test(path)) this.#literalPaths.add(path);
    this.#found.clear();
  }

  match(method: string, path: string): Result<T> {
    const key = `${method} ${path}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#routes.match(method, path);
    if (this.#literalPaths.has(path)) this.#found.set(key, found);
    return found;
  }
}

/** What makes a path stand for more than itself. */
const PATTERN = /[:*{?]/;
