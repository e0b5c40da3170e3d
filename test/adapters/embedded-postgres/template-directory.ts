/** Clusters that tests copy. Stays empty unless a test needs one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    templateDirectory: string;
  }
}

let directory: string | undefined;

export async function setup(project: TestProject): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'fleetsift-test-templates-'));
  project.provide('templateDirectory', directory);
}

export async function teardown(): Promise<void> {
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
}
