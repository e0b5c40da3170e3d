/** `npm run attack`: floods a running service as one organization, and reports what another one saw of it. */
import { Command, Option } from 'commander';
import { tell } from '../report/bench-progress.ts';
import { machineFacts } from '../report/machine-facts.ts';
import { print, printFacts, printTable, round } from '../report/report.ts';
import { ATTACKS } from './all-attacks.ts';
import type { Attack } from './attack.ts';
import { startObserver } from './observe/observer.ts';
import { type OwnService, startOwnService } from './own-service.ts';
import { type AttackResult, hasHeld, MAX_SLOWDOWN, runAttack } from './run-attack.ts';
import { otherAddress, type Target } from './target/target.ts';

interface Options {
  readonly url?: string;
  readonly attackers?: readonly string[];
  readonly other?: string;
  readonly session?: string;
  readonly enrolmentKey?: string;
  readonly only: readonly string[];
  readonly seconds: number;
}

const QUIET_MS = 3_000;

const MAX_ROUNDS = 3;

/** The exit code of SIGINT in a shell. */
const INTERRUPTED = 130;

async function main(): Promise<number> {
  const options = readOptions();
  const given = targetOf(options);
  if (given === null) tell('starting a service with the demo fleet to attack (--url attacks another)');
  const own = given === null ? await startOwnService() : null;
  try {
    return await attackAll(own?.target ?? (given as Target), own, options);
  } finally {
    await own?.close();
  }
}

function readOptions(): Options {
  const names = ATTACKS.map(({ name }) => name);
  return new Command('attack')
    .description(
      `Floods a service as two callers of one organization, and measures what a caller of another one sees.
No data is changed, but for filters that the first caller creates and deletes again. Never run it against a service
that is not yours.`,
    )
    .option('--url <url>', 'the service, without a path (default: one of its own, with the demo fleet)')
    .addOption(
      new Option(
        '--attackers <credentials...>',
        'two API keys or access tokens of one organization; the first with users:write',
      ).env('ATTACK_KEYS'),
    )
    .addOption(
      new Option('--other <credential>', 'an API key or access token of another organization').env(
        'ATTACK_OTHER_KEY',
      ),
    )
    .addOption(
      new Option(
        '--session <token>',
        'an access token of somebody with a second factor, whose wrong codes for five minutes are used up',
      ).env('ATTACK_SESSION'),
    )
    .addOption(
      new Option(
        '--enrolment-key <key>',
        'a key with which machines report to the attackers’ organization; nothing is stored',
      ),
    )
    .addOption(new Option('--only <attacks...>', 'only these').choices(names).default(names))
    .option('--seconds <number>', 'how long each takes', Number, 10)
    .parse()
    .opts<Options>();
}

/** Null to start a service. */
function targetOf({ url, attackers = [], other, session, enrolmentKey }: Options): Target | null {
  if (url === undefined) return null;
  const [first, second] = attackers.flatMap((text) => text.split(/[\s,]+/));
  if (first === undefined || second === undefined || other === undefined) {
    throw new Error(
      '--url needs --attackers with two credentials of one organization, and --other (see --help)',
    );
  }
  return {
    url: url.replace(/\/+$/, ''),
    attackers: [first, second],
    other,
    session: session ?? null,
    person: null,
    enrolmentKey: enrolmentKey ?? null,
    operator: null,
  };
}

async function attackAll(target: Target, own: OwnService | null, options: Options): Promise<number> {
  const { url, other: credential } = target;
  const observer = await startObserver({ url, credential, from: otherAddress(url) ?? null });
  const results: AttackResult[] = [];
  const settings = {
    quietMs: QUIET_MS,
    floodMs: options.seconds * 1_000,
    maxRounds: MAX_ROUNDS,
    signal: interrupted(),
  };
  try {
    for (const attack of ATTACKS) {
      if (!options.only.includes(attack.name)) continue;
      const missing = missingFor(attack, target);
      if (missing !== null) {
        tell(`${attack.name}: left out, as it needs ${missing}`);
        continue;
      }
      tell(`${attack.title} ...`);
      results.push(await runAttack(attack, target, observer, settings));
    }
  } catch (error) {
    if (settings.signal.aborted) return INTERRUPTED;
    throw error;
  } finally {
    observer.close();
  }
  printResults(results);
  const peak = await own?.peakMemory();
  printFacts({ ...machineFacts(), ...(peak != null && { peakMemoryMiB: Math.round(peak / 1_048_576) }) });
  const broken = results.filter((result) => !hasHeld(result));
  for (const { attack } of broken) tell(`NOT HELD: ${attack.name}`);
  return broken.length === 0 ? 0 : 1;
}

function missingFor(attack: Attack, target: Target): string | null {
  const { needsSession, needsEnrolmentKey, needsPerson, needsOperator } = attack;
  if (needsSession && target.session === null) return '--session';
  if (needsPerson && target.person === null) return 'a service to itself, on Linux';
  if (needsOperator && target.operator === null) return 'a service to itself';
  return needsEnrolmentKey && target.enrolmentKey === null ? '--enrolment-key' : null;
}

/** Aborted by Ctrl-C or SIGTERM. A second one ends the process at once. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      tell('interrupted: deleting what was created');
      controller.abort();
    });
  }
  return controller.signal;
}

function printResults(results: readonly AttackResult[]): void {
  printTable({
    title: 'What others saw, as multiples of a quiet run just before: median (worst)',
    columns: ['attack', 'preview', '/auth/me', 'refusals', 'requests', 'seconds', 'what the attacker got'],
    rows: results.map(({ attack, tally, seconds, slowdown: { preview, profile }, refusals }) => [
      attack.title,
      `${round(preview.median)} (${round(preview.worst)})`,
      `${round(profile.median)} (${round(profile.worst)})`,
      refusals.length,
      tally.requests,
      round(seconds),
      tally.outcomes,
    ]),
  });
  print(`Held: no refusal for others, and at most ${MAX_SLOWDOWN} times as slow at the median.`);
}

process.exitCode = await main();
