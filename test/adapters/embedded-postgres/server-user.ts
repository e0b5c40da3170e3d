/** Processes that use the embedded server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

type StartOutcome =
  | { readonly started: { readonly url: string; readonly isNew: boolean } }
  | { readonly failed: string };

/** Runs `fixtures/use-server.ts`. */
export interface ServerUser {
  /** The first report before the start. */
  readonly progressed: Promise<string>;
  readonly outcome: Promise<StartOutcome>;
  stop(): Promise<void>;
  /** Like `kill -9`. */
  kill(): Promise<void>;
}

export interface ServerUserOptions {
  readonly dataDir: string;
  /** The copy of the repository to run from. */
  readonly checkout?: string;
  readonly node?: string;
  /** Requires root. */
  readonly uid?: number;
  /** For temporary files. */
  readonly temporary?: string;
}

export const FIXTURE = relative(
  process.cwd(),
  fileURLToPath(new URL('./fixtures/use-server.ts', import.meta.url)),
);

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
