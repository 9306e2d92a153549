/** A file of scripts: the modules that `test` names, with all they import that no group before them holds. */
type Group = { name: string; test: RegExp; tags?: ['$initial']; minShareCount?: number }

const any = (...patterns: string[]) => new RegExp(patterns.join('|'))

/**
 * What is delivered in one file, the first group that fits. Left to itself the build makes a file of every module that two screens
 * share, a hundred for the calendar, and a phone asks for each by itself. A group is named by packages and by files of our own; what
 * those import comes along, so that nothing of a package's inside is named here.
 */
const groups: Group[] = [
  { name: 'client', test: any('/node_modules/(?:react|react-dom|scheduler)/') },
  // The router, the list of routes and what every route starts with.
  { name: 'first', test: /^(?!.*\/web\/(?:main\.tsx|index\.html))/, tags: ['$initial'] },
  // What pages without forms share with screens that have them; on its own, or it would bring the forms along.
  {
    name: 'looks',
    test: any(
      '/web/ui/(?:[\\w-]+\\.module\\.css|classes\\.ts|button-look\\.ts|button-link\\.tsx|badge\\.tsx)',
      '/web/features/(?:social/network-icon|subscription/plan-card|help/honeypot|parts/flash-wall)\\.',
      '/web/lib/(?:money|chosen-plan)\\.ts',
      '/packages/contracts/(?:(?!admin)\\w+/limits|networks|plans|request-limits)\\.ts',
      '/lucide-react/dist/esm/(?:createLucideIcon|Icon|icons/(?:(?:circle|triangle)-(?:alert|exclamation-point)|check|plus|arrow-up|arrow-down|log-in|layout-grid))\\.',
    ),
  },
  // What a screen of its own talks to the server and to the artist with.
  {
    name: 'live',
    test: any(
      '/web/lib/(?:trpc|session|query-client|failure|format|clock|uuid|use-[\\w-]+)\\.ts',
      '/web/features/(?:shell/(?:app-shell|app-providers)|social/(?:asked-network|connect-after-upload)|auth/signed-in|subscription/subscriber-gate)\\.tsx$',
      '/lucide-react/',
      '/web/ui/(?:toast|avatar|card|empty-state|lazy-component|progress-bar)\\.tsx$',
      '/packages/contracts/(?:time|(?:auth|media|notices|posts|social|subscription)/(?:messages|rules))\\.ts$',
    ),
  },
  {
    name: 'schemas',
    test: any('/packages/contracts/(?:instant|max-length|errors/\\w+|refusals)\\.ts'),
    minShareCount: 2,
  },
  {
    name: 'forms',
    test: any(
      '/web/ui/(?:alert|button|text-field|icon-button|skeleton|password-field|file-drop|tabs|text-area)\\.tsx$',
    ),
  },
  // What composing shares with the library and the calendar; what stored drafts need comes after the first step.
  {
    name: 'media',
    test: any(
      '/web/features/(?:posts/(?:draft/(?!.*stored)|parts/(?!target-list)|wizard/)|media/(?!media-grid\\.tsx)|social/go-to-network)',
      '/web/ui/bottom-bar\\.tsx$',
    ),
    minShareCount: 2,
  },
  // What opens above a page, and the lists and choices in it. Stored drafts are small, and whoever opens one loads this.
  {
    name: 'overlays',
    test: any(
      '/web/ui/(?:dialog|alert-dialog|menu|select|radio-group|switch|checkbox|icon-tip)\\.tsx$',
      '/web/features/posts/(?:parts/target-list|draft/(?:use-open-)?stored(?:-draft)?)\\.tsx?$',
      '/packages/contracts/drafts/messages\\.ts$',
    ),
  },
  { name: 'dates', test: any('/web/ui/(?:calendar-sheet|date-picker|date-time-picker)\\.tsx$') },
  // Rows that can be dragged; the staff's tables share what they are made of.
  {
    name: 'rows',
    test: any('/web/features/posts/wizard/picked-order\\.tsx$', '/web/features/media/media-grid\\.tsx$'),
  },
  { name: 'calendar', test: any('/web/features/calendar/'), minShareCount: 2 },
  {
    name: 'staff',
    test: any('/web/features/admin/', '/packages/contracts/admin/', '/web/ui/(?:records|pagination|table)\\.tsx$'),
    minShareCount: 3,
  },
]

/** For the build's `codeSplitting.groups`. */
export const chunks = groups.map((group, at, all) => ({ ...group, priority: all.length - at }))
