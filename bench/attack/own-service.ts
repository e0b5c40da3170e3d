/** Starts a service with the demo fleet to attack, in a temporary directory. */
import { readFile } from 'node:fs/promises';
import { ensureConsole } from '#adapters/web/build/build-console.ts';
import { type RunningService, ServiceUnderTest } from '#test/end-to-end/service-process.ts';
import { tell } from '../report/bench-progress.ts';
import type { Person, Target } from './target/target.ts';

export interface OwnService {
  readonly target: Target;
  /** Peak memory so far, in bytes; null if the system does not tell. */
  peakMemory(): Promise<number | null>;
  isAlive(): boolean;
  close(): Promise<void>;
}

/** The heap of a small container, in MiB. */
export const HEAP_MIB = 512;

const ATTACKERS = ['it@varhaug-freight.example', 'emre.aksoy@varhaug-freight.example'] as const;
const ATTACKING_ORGANIZATION = 'Varhaug Freight Lines';
const OTHER_ORGANIZATION = 'Greywater Schools Trust';
const OTHER = 'network@greywater-schools.example';

export async function startOwnService(): Promise<OwnService> {
  // Otherwise the service builds the console, which takes more memory than any attack.
  await ensureConsole(() => tell('building the console (once)'));
  const program = await ServiceUnderTest.create({ LOG_LEVEL: 'warn' });
  try {
    const service = await program.start({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` });
    const [first, second, other] = await Promise.all([
      createKey(program, ATTACKERS[0], 'users:write'),
      createKey(program, ATTACKERS[1]),
      createKey(program, OTHER),
    ]);
    return {
      target: {
        url: service.url,
        attackers: [first, second],
        other,
        session: await signIn(service),
        person: await createPerson(program),
        enrolmentKey: await createEnrolmentKey(program),
        operator: {
          organization: ATTACKING_ORGANIZATION,
          run: async (args) => {
            const { stdout, stderr } = await program.run(args);
            return stdout + stderr;
          },
        },
      },
      peakMemory: () => peakMemoryOf(service.pid),
      isAlive: service.isAlive,
      close: async () => {
        await service.stop();
        await program.dispose();
      },
    };
  } catch (error) {
    await program.dispose();
    throw error;
  }
}

async function createKey(program: ServiceUnderTest, email: string, permissions = ''): Promise<string> {
  const outcome = await program.run(['key', 'create', '--email', email, '--permissions', permissions]);
  const key = /fsk_[\w-]{43}/.exec(outcome.stdout)?.[0];
  if (key === undefined) throw new Error(`no key for ${email}: ${outcome.stderr}`);
  return key;
}

/** For the attackers' organization. */
async function createEnrolmentKey(program: ServiceUnderTest): Promise<string> {
  const outcome = await program.run(['enrolment-key', 'create', '--org', ATTACKING_ORGANIZATION]);
  const key = /fse_[\w-]{43}/.exec(outcome.stdout)?.[0];
  if (key === undefined) throw new Error(`no enrolment key: ${outcome.stderr}`);
  return key;
}

/** Has no second factor. Null if the machine has only one address to attack from. */
async function createPerson(program: ServiceUnderTest): Promise<Person | null> {
  if (process.platform !== 'linux') return null;
  const email = 'at.home@greywater-schools.example';
  const password = 'correct horse battery staple';
  const command = ['user', 'create', '--email', email, '--org', OTHER_ORGANIZATION, '--password-stdin'];
  const outcome = await program.run(command, {}, `${password}\n`);
  if (outcome.code !== 0) throw new Error(`no person: ${outcome.stderr}`);
  return { email, password, home: '127.201.0.1', network: '127.201.0.0/24' };
}

/** Signs in as the platform's administrator, with a second factor, as the first start describes. */
async function signIn(service: RunningService): Promise<string> {
  const body = /auth\/login .*-d '(\{[^']+\})'/.exec(service.output())?.[1] ?? '';
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${service.url}/api/v1/auth/login`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the administrator of the demo cannot sign in: ${await answer.text()}`);
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

async function peakMemoryOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? null : Number(kib) * 1_024;
}
