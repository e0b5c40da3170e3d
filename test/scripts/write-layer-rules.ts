/** Writes the rules of the layers into biome.json, after folders or rules have changed: node test/scripts/write-layer-rules.ts */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layerOverrides } from '#test/support/layers/layer-rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = join(ROOT, 'biome.json');

interface BiomeConfig {
  readonly overrides: readonly { readonly includes: readonly string[] }[];
}

const config: BiomeConfig = JSON.parse(readFileSync(CONFIG, 'utf8'));
const others = config.overrides.filter(({ includes }) => !includes.some((glob) => glob.startsWith('src/')));
const written = { ...config, overrides: [...layerOverrides(), ...others] };
writeFileSync(CONFIG, JSON.stringify(written, null, 2));
execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', CONFIG], { stdio: 'inherit' });
