import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

test.each([
  [
    'the socket counts when it is no trusted proxy, whatever the header says',
    '203.0.113.9',
    '1.2.3.4',
    [],
    '203.0.113.9',
  ],
  [
    'behind a trusted proxy the rightmost untrusted hop counts',
    '10.0.0.1',
    '6.6.6.6, 203.0.113.9, 10.0.0.2',
    ['10.0.0.0/8'],
    '203.0.113.9',
  ],
  ['a proxy beside a trusted one is not trusted', '10.0.0.2', '6.6.6.6', ['10.0.0.1'], '10.0.0.2'],
  ['a trusted IPv4 proxy may connect by IPv6', '::ffff:10.0.0.1', '203.0.113.9', ['10.0.0.0/8'], '203.0.113.9'],
  ['a range of one kind is compared with no address of the other', 'fd00::1', '6.6.6.6', ['10.0.0.0/8'], 'fd00::/64'],
  ['a trusted proxy without the header is the caller itself', '10.0.0.1', undefined, ['10.0.0.1'], '10.0.0.1'],
  ['IPv4 in IPv6 is IPv4', '::ffff:203.0.113.9', undefined, [], '203.0.113.9'],
  ['IPv6 counts by its /64', '2001:db8:1:2:3:4:5:6', undefined, [], '2001:db8:1:2::/64'],
  ['a port is no part of the address', '10.0.0.1', '6.6.6.6, 203.0.113.9:4711', ['10.0.0.1'], '203.0.113.9'],
  ['nor are brackets', '10.0.0.1', '[2001:db8:1:2::5]:4711', ['10.0.0.1'], '2001:db8:1:2::/64'],
  ['a trusted proxy may have a port', '10.0.0.1', '203.0.113.9, 10.0.0.2:80', ['10.0.0.0/8'], '203.0.113.9'],
  ['what is no address is one bucket', '10.0.0.1', 'garbage', ['10.0.0.1'], 'unknown'],
])('%s', (_what, socket, forwarded, trusted, expected) => {
  expect(clientAddress(socket, forwarded, trusted)).toBe(expected)
})
