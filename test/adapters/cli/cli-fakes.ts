/** A program whose commands run on a backend in memory. */
import { expect, vi } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import type { CliRuntime, CliService } from '#adapters/cli/cli-runtime.ts';
import { runProgram } from '#adapters/cli/program.ts';
import { report } from '#adapters/cli/terminal/door.ts';
import { createMemoryBackend, type MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { fixedClock, newId } from '#test/support/builders.ts';

export function makeCliBackend(): MemoryBackend {
  return createMemoryBackend({
    translatePattern,
    digestSecret,
    clock: fixedClock(),
    newId,
    hashPassword: async () => 'hash',
  });
}

/** What the program returned and what it wrote. */
export async function captureOutput(run: () => Promise<number>) {
  const streams = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      streams[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await run(), ...streams };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** @param overrides what commands of a test need besides the backend; anything else that they ask for is an error */
export function makeCliRuntime(
  backend: MemoryBackend,
  dataDir: string,
  overrides: Partial<CliRuntime> & { readonly service?: Partial<CliService> } = {},
): CliRuntime {
  const unused = () => Promise.reject(new Error('no command of these tests needs this'));
  const { service, ...others } = overrides;
  return {
    version: '0',
    config: {
      databaseUrl: 'postgres://localhost/fleetsift',
      baseUrl: 'https://fleet.example.com',
      dataDir,
      secretKey: null,
      demo: false,
      worker: false,
      contactMinutes: 15,
      offlineAfterMinutes: null,
      drainSeconds: 0,
    },
    clock: fixedClock(),
    newId,
    announce: (_level, message) => report(message),
    bindServer: unused,
    bindMetrics: unused,
    startEmbeddedDatabase: unused,
    openService: async () => ({
      backend,
      hashPassword: async (password) => `hashed ${password}`,
      isEmpty: async () => false,
      resealSecrets: unused,
      databaseTools: null,
      prepare: unused,
      answer: async () => undefined,
      showMetrics: async () => undefined,
      startWorker: unused,
      stopBeingReady: () => undefined,
      close: async () => undefined,
      ...service,
    }),
    makeDemo: unused,
    importLoadFiles: unused,
    importInventories: unused,
    importSecrets: unused,
    listensAt: unused,
    makeOpenApiDocument: unused,
    explainFailure: async () => null,
    ...others,
  };
}

/** Runs commands on the backend that `current` returns. */
export function commandsOn(current: () => MemoryBackend, overrides: Partial<CliRuntime> = {}) {
  const run = (...args: readonly string[]) =>
    captureOutput(() => runProgram(makeCliRuntime(current(), '/nowhere', overrides), args));
  return {
    run,
    /** Runs a command that must succeed, and returns what it printed. */
    async done(...args: readonly string[]): Promise<string> {
      const outcome = await run(...args);
      expect([outcome.code, outcome.stderr]).toStrictEqual([0, '']);
      return outcome.stdout;
    },
    /** Runs a command that must fail with the hint, and change nothing. */
    async refused(hint: string, ...args: readonly string[]): Promise<void> {
      const before = current().auditEntries().length;
      const outcome = await run(...args);
      expect([outcome.code, outcome.stdout]).toStrictEqual([1, '']);
      expect(outcome.stderr).toContain(hint);
      expect(current().auditEntries()).toHaveLength(before);
    },
  };
}
