/** Other processes that use the embedded server, for tests to start, stop and kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** What a user says of its start. */
type StartOutcome =
  | { readonly started: { readonly url: string; readonly isNew: boolean } }
  | { readonly failed: string };

/** A process that runs `fixtures/use-server.ts`. */
export interface ServerUser {
  /** The first thing it reports before it has started. */
  readonly progressed: Promise<string>;
  readonly outcome: Promise<StartOutcome>;
  /** Ends its use in good order. */
  stop(): Promise<void>;
  /** Ends the process as `kill -9` does. */
  kill(): Promise<void>;
}

/** Who uses what. */
export interface ServerUserOptions {
  readonly dataDir: string;
  /** A copy of the repository to run from, instead of this one. */
  readonly checkout?: string;
  readonly node?: string;
  /** Another account to run as, for which this process must be root. */
  readonly uid?: number;
  /** The directory for temporary files. */
  readonly temporary?: string;
}

/** The fixture's path inside a checkout. */
export const FIXTURE = relative(
  process.cwd(),
  fileURLToPath(new URL('./fixtures/use-server.ts', import.meta.url)),
);

/** Starts a user of the server. */
export function launchUser(options: ServerUserOptions): ServerUser {
  const { dataDir, checkout = process.cwd(), node = process.execPath, uid, temporary } = options;
  const child = spawn(node, [join(checkout, FIXTURE), dataDir], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
    env: { ...process.env, ...(temporary === undefined ? {} : { TMPDIR: temporary }) },
  });
  const complaints = text(child.stderr);
  const ended = once(child, 'close');
  const { promise: progressed, resolve: progress } = Promise.withResolvers<string>();
  const { promise: outcome, resolve: settle } = Promise.withResolvers<StartOutcome>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = JSON.parse(line);
    if ('progress' in event) {
      progress(event.progress);
    } else {
      settle(event);
    }
  });
  ended.then(async () => settle({ failed: `ended with ${await complaints}` }));
  return {
    progressed,
    outcome,
    stop: () => endWith(child, ended, () => child.stdin.end('stop\n')),
    kill: () => endWith(child, ended, () => child.kill('SIGKILL')),
  };
}

async function endWith(child: ChildProcess, ended: Promise<unknown>, end: () => void): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    end();
  }
  await ended;
}
