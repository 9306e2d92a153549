import { expect, test } from 'vitest'
import { siteRequest } from './site-request.ts'

const hosted = { sitesDomain: 'example.com', publicUrl: 'https://app.example.com' }
const plain = { sitesDomain: undefined, publicUrl: 'http://localhost:3000' }

test.each([
  [plain, 'localhost:3000', '/s/ada', { domainName: 'ada', path: '', isOwnHost: false }],
  [plain, 'localhost:3000', '/s/ADA/book/', { domainName: 'ada', path: 'book', isOwnHost: false }],
  [plain, 'localhost:3000', '/s/%E0%A4%A', { domainName: '', path: '', isOwnHost: false }],
  // No page has so long a path, and none is looked up for it.
  [plain, 'localhost:3000', `/s/ada/${'x'.repeat(200)}`, { domainName: '', path: 'x'.repeat(200), isOwnHost: false }],
  [hosted, 'ada.example.com', `/${'x'.repeat(200)}`, { domainName: '', path: 'x'.repeat(200), isOwnHost: true }],
  [plain, 'localhost:3000', '/sites', undefined],
  [plain, 'ada.example.com', '/', undefined],
  [hosted, 'ada.example.com', '/', { domainName: 'ada', path: '', isOwnHost: true }],
  [hosted, 'Ada.Example.com:8443', '/book', { domainName: 'ada', path: 'book', isOwnHost: true }],
  // The fully qualified form of a host.
  [hosted, 'ada.example.com.:8443', '/login', { domainName: 'ada', path: 'login', isOwnHost: true }],
  [hosted, 'app.example.com.', '/login', undefined],
  [hosted, 'a.b.example.com', '/', { domainName: '', path: '', isOwnHost: true }],
  [hosted, 'ada.example.com', '/files/gallery/x/320.webp', undefined],
  [
    hosted,
    'ada.example.com',
    '/files/media/x/original',
    { domainName: 'ada', path: 'files/media/x/original', isOwnHost: true },
  ],
  [hosted, 'example.com', '/', undefined],
  [hosted, 'notexample.com', '/', undefined],
  // The app's own host is not a site.
  [hosted, 'app.example.com', '/login', undefined],
  [hosted, 'app.example.com', '/s/ada', { domainName: 'ada', path: '', isOwnHost: false }],
])('%o %s%s', (config, host, path, asked) => expect(siteRequest(config, host, path)).toEqual(asked))
