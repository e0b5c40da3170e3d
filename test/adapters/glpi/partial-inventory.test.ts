import { describe, expect, test } from 'vitest';
import { inventoryText, readTaken } from './inventories.ts';

const partialFields = (content: object, header: object = {}) => {
  const inventory = readTaken(inventoryText(content, { ...header, partial: true }));
  expect(inventory.kind).toBe('partial');
  return inventory.fields;
};

describe('a partial inventory', () => {
  test.each<[string, object, object]>([
    ['nothing but its agent', {}, { agentVersion: 'agent' }],
    ['not even an agent', { versionclient: 'missing' }, {}],
    [
      'software',
      { softwares: [{ name: 'a' }] },
      { agentVersion: 'agent', software: [{ name: 'a', version: null }] },
    ],
    ['that there is no software any more', { softwares: [] }, { agentVersion: 'agent', software: [] }],
    ['that there are no interfaces any more', { networks: [] }, { agentVersion: 'agent', network: [] }],
    [
      'a system other than Windows, macOS and Linux',
      { operatingsystem: { name: 'Android', version: '16' } },
      { agentVersion: 'agent', deviceRole: 'phone', osType: null, osVersion: '16' },
    ],
    [
      'a system without a name',
      { operatingsystem: { version: '16' } },
      { agentVersion: 'agent', osVersion: '16' },
    ],
    ['a user', { users: [{ login: 'ada' }] }, { agentVersion: 'agent', lastUser: 'ada' }],
    [
      'no role for a chassis without a system',
      { hardware: { chassis_type: 'Blade' } },
      { agentVersion: 'agent' },
    ],
    [
      'a chassis with a system',
      { hardware: { chassis_type: 'Blade' }, operatingsystem: { name: 'Debian' } },
      { agentVersion: 'agent', deviceRole: 'server', osType: 'linux' },
    ],
    [
      'only the hardware that it names, so the rest is not cleared',
      { bios: { ssn: 'S1' }, cpus: [{ core: 4 }] },
      { agentVersion: 'agent', hardware: { serialNumber: 'S1', cpuCores: 4 } },
    ],
  ])('carries %s', (_, content, fields) => {
    expect(partialFields(content)).toStrictEqual(fields);
  });

  test('of a switch carries role and addresses only if it describes the device', () => {
    const network_device = { type: 'Networking', model: 'EX4300', ips: ['10.0.0.1'], uptime: '(100)' };
    expect(partialFields({ network_device }, { itemtype: 'NetworkEquipment' })).toStrictEqual({
      agentVersion: 'agent',
      deviceRole: 'switch',
      hardware: { model: 'EX4300' },
      network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }],
      uptimeSeconds: 1,
    });
    expect(partialFields({ network_ports: [] }, { itemtype: 'NetworkEquipment' })).toStrictEqual({
      agentVersion: 'agent',
    });
  });

  test('of a phone or a printer carries its role', () => {
    expect(partialFields({}, { itemtype: 'Phone' })).toStrictEqual({
      agentVersion: 'agent',
      deviceRole: 'phone',
    });
    expect(partialFields({}, { itemtype: 'Printer' })).toStrictEqual({
      agentVersion: 'agent',
      deviceRole: 'printer',
    });
  });
});

test('an inventory with partial: false is full', () => {
  expect(readTaken(inventoryText({}, { partial: false })).kind).toBe('full');
});
