/** The commands that people are shown to run on machines. */
import { expect, test } from 'vitest';
import { agentCommand, likelySystem } from '#console/pages/enrolment/agent-commands.ts';

const KEY = 'fse_abc-_123';
const ADDRESS = `https://any:${KEY}@fleet.example/inventory`;

test.each([
  ['windows', `msiexec /i GLPI-Agent-1.x-x64.msi /quiet SERVER="${ADDRESS}" RUNNOW=1`],
  [
    'macos',
    `sudo /Applications/GLPI-Agent/bin/glpi-agent --server '${ADDRESS}' && echo 'server = ${ADDRESS}' | sudo tee /Applications/GLPI-Agent/etc/conf.d/fleetsift.cfg >/dev/null && sudo launchctl kickstart -k system/com.teclib.glpi-agent`,
  ],
  [
    'linux',
    `sudo glpi-agent --server '${ADDRESS}' && echo 'server = ${ADDRESS}' | sudo tee /etc/glpi-agent/conf.d/fleetsift.cfg >/dev/null && sudo systemctl enable glpi-agent && sudo systemctl restart glpi-agent`,
  ],
] as const)('on %s, the key is the password in the address', (system, line) => {
  expect(agentCommand(system, 'https://fleet.example', KEY)).toBe(line);
});

test.each([
  ['http://localhost:3000', `http://any:${KEY}@localhost:3000/inventory`],
  ['https://portal.example/fleet', `https://any:${KEY}@portal.example/fleet/inventory`],
  ['https://portal.example/tools/fleet/', `https://any:${KEY}@portal.example/tools/fleet/inventory`],
])('the port and path of %s stay in the address', (baseUrl, address) => {
  for (const system of ['windows', 'macos', 'linux'] as const) {
    expect(agentCommand(system, baseUrl, KEY)).toMatch(new RegExp(`["']${RegExp.escape(address)}["']`));
  }
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142', 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605', 'macos'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/142', 'linux'],
])('the browser %s most likely runs on %s', (userAgent, system) => {
  expect(likelySystem(userAgent)).toBe(system);
});
