/** A chunk: the modules that `test` matches, and their imports that are in no earlier group. */
type Group = { name: string; test: RegExp; tags?: ['$initial']; minShareCount?: number }

const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'))

/**
 * Groups modules into chunks; the first group that matches counts. By default the bundler makes a chunk of each module that two screens
 * share: a hundred requests for the calendar. Groups match packages and our own files, which bring their imports along, so that few files
 * inside packages must be named.
 */
const groups: Group[] = [
  { name: 'client', test: anyOf('/node_modules/(?:react|react-dom|scheduler)/') },
  // The router, the route tree and what every route needs.
  { name: 'first', test: /^(?!.*\/web\/(?:main\.tsx|index\.html))/, tags: ['$initial'] },
  // Shared by pages with and without forms. A separate chunk, so that pages without forms do not load them.
  {
    name: 'looks',
    test: anyOf(
      '/web/ui/(?:[\\w-]+\\.module\\.css|classes\\.ts|button-class\\.ts|button-link\\.tsx|badge\\.tsx)',
      '/web/features/(?:social/network-icon|subscription/plan-card|help/honeypot|parts/flash-wall)\\.',
      '/web/lib/(?:money|chosen-plan)\\.ts',
      '/packages/contracts/(?:(?!admin)\\w+/limits|networks|plans|request-limits)\\.ts',
      '/lucide-react/dist/esm/(?:createLucideIcon|Icon|icons/(?:(?:circle|triangle)-(?:alert|exclamation-point)|check|plus|arrow-up|arrow-down|log-in|layout-grid))\\.',
    ),
  },
  // tRPC, React Query and toasts, for every screen that calls the server.
  {
    name: 'live',
    test: anyOf(
      '/web/lib/(?:trpc|session|query-client|failure|format|clock|uuid|use-[\\w-]+)\\.ts',
      '/web/features/(?:shell/(?:app-shell|app-providers)|social/connect-after-upload|auth/signed-in|subscription/subscriber-gate)\\.tsx$',
      '/web/ui/(?:(?:toast|avatar|card|empty-state|lazy-component|progress-bar)\\.tsx|use-media-query\\.ts)$',
      '/packages/contracts/(?:time|auth/rules|(?:media|notices|posts|social|subscription)/(?:messages|rules))\\.ts$',
    ),
  },
  // Not in `live`, because most screens do not need it.
  { name: 'account', test: anyOf('/packages/contracts/auth/messages\\.ts') },
  {
    name: 'schemas',
    test: anyOf('/packages/contracts/(?:instant|max-length|errors/\\w+|refusals)\\.ts'),
    minShareCount: 2,
  },
  {
    name: 'forms',
    test: anyOf(
      '/web/ui/(?:alert|button|form|text-field|icon-button|skeleton|password-field|file-drop|tabs|text-area)\\.tsx$',
      '/lucide-react/',
    ),
    // An icon of a single screen is in the chunk of that screen.
    minShareCount: 2,
  },
  // Shared by the wizard, the library and the calendar. The code of stored drafts is loaded after the first step.
  {
    name: 'media',
    test: anyOf(
      '/web/features/(?:posts/(?:draft/(?!.*stored)|parts/(?!target-list|caption-|page-section)|wizard/)|media/(?!media-grid\\.tsx)|social/go-to-network)',
      '/web/ui/bottom-bar\\.tsx$',
    ),
    minShareCount: 2,
  },
  // Dialogs, menus and popovers, with the lists in them. Captions and stored drafts are small, and where they are shown this chunk is needed anyway.
  {
    name: 'overlays',
    test: anyOf(
      '/web/ui/(?:dialog|form-dialog|alert-dialog|menu|select|radio-group|switch|checkbox|icon-tooltip)\\.tsx$',
      '/web/features/posts/(?:parts/(?:target-list|caption-\\w+|page-section)|draft/(?:use-open-)?stored(?:-draft)?)\\.tsx?$',
      '/packages/contracts/drafts/messages\\.ts$',
    ),
  },
  { name: 'dates', test: anyOf('/web/ui/(?:calendar-sheet|date-picker|date-time-picker)\\.tsx$') },
  // Lists with drag and drop, and the tables of the admin area, which share react-aria's collections.
  {
    name: 'rows',
    test: anyOf('/web/features/posts/wizard/picked-order\\.tsx$', '/web/features/media/media-grid\\.tsx$'),
  },
  { name: 'calendar', test: anyOf('/web/features/calendar/'), minShareCount: 2 },
  {
    name: 'staff',
    test: anyOf('/web/features/admin/', '/packages/contracts/admin/', '/web/ui/(?:records|pagination|table)\\.tsx$'),
    minShareCount: 3,
  },
]

/** For the build's `codeSplitting.groups`. */
export const chunks = groups.map((group, index) => ({ ...group, priority: groups.length - index }))
