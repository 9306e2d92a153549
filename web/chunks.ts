/** Modules of react-aria and its kin, by their paths in its packages. */
const aria = (...paths: string[]) => `/react-(?:aria|stately|aria-components)/dist/private/(?:${paths.join('|')})\\.mjs`

const any = (...patterns: string[]) => new RegExp(patterns.join('|'))

type Group = { name: string; test: RegExp; minShareCount?: number }

/**
 * What is delivered in one file, the first that fits: left to itself the build makes a file of every module that two screens share,
 * a hundred for the calendar, and a phone asks for each by itself. Modules that are needed together stand together; what a page
 * with a budget does without (scripts/sizes.ts) is not put beside what it has.
 */
const whole: Group[] = [
  // What every page has, and small things the landing page shares with forms: on their own, or they would bring the forms along.
  { name: 'client', test: any('/node_modules/(?:react-dom|scheduler)/') },
  {
    name: 'looks',
    test: any(
      '/web/ui/(?:[\\w-]+\\.module\\.css|classes\\.ts|button-look\\.ts)',
      '/lucide-react/dist/esm/(?:createLucideIcon|Icon|icons/(?:circle|triangle)-(?:alert|exclamation-point))\\.',
    ),
  },
  // The list of routes is needed at once and whole; a file for each would be thirty requests for nothing.
  { name: 'routes', test: any('/web/(?:routes/[^?]*|routeTree\\.gen)\\.tsx?$') },
  // What every signed-in screen talks to the server with.
  {
    name: 'live',
    test: any(
      '/node_modules/(?:@trpc|@tanstack/(?:query-core|react-query))[/.]',
      '/web/lib/(?:trpc|shared-query-client|query-client|session|failure)[/.]',
    ),
  },
  { name: 'forms', test: any('/web/ui/(?:alert|button|text-field)\\.tsx?$') },
]

/** The same for modules alone, without what they import: that belongs to a group above, or is shared with the landing page. */
const alone: Group[] = [
  // Apart from the words, which the landing page does without.
  { name: 'limits', test: any('/packages/contracts/(?:(?!admin)\\w+/limits|networks|plans|request-limits)\\.ts') },
  {
    name: 'words',
    test: any(
      '/packages/contracts/(?:auth|media|notices|posts|social|subscription)/(?:messages|rules)\\.ts',
      '/packages/contracts/website/messages\\.ts',
    ),
  },
  {
    name: 'contracts',
    test: any(
      '/packages/contracts/(?:(?:posts|media|social|subscription)/schema|appointments/\\w+|instant|max-length)\\.ts',
      '/zod/v4/classic/(?:iso|coerce)\\.',
    ),
  },
  {
    name: 'aria',
    test: any(
      '/@internationalized/string/',
      aria(
        'utils/(?:shadowdom/ShadowTreeWalker|useDescription)',
        'interactions/PressResponder',
        'overlays/ariaHideOutside',
        'i18n/useLocalizedStringFormatter',
        'visually-hidden/VisuallyHidden',
        'intl/en-US',
        'intlStrings',
      ),
    ),
  },
  {
    name: 'toggles',
    test: any(
      aria(
        'focus/FocusScope',
        'toolbar/.*',
        'button/useToggle.*',
        'toggle/.*',
        'ToggleButton(?:Group)?',
        'SelectionIndicator',
        'SharedElementTransition',
        'utils/useSlot',
      ),
    ),
  },
  {
    name: 'fields',
    test: any(
      '/packages/contracts/(?:auth/schema|errors/\\w+|refusals)\\.ts',
      '/web/lib/validation\\.',
      '/web/ui/(?:form|use-form|password-field)\\.',
    ),
    minShareCount: 2,
  },
  {
    name: 'overlays',
    test: any(
      aria(
        '(?:Heading|Dialog|Modal)',
        'dialog/.*',
        'overlays/(?:useOverlay|useModalOverlay|useOverlayTriggerState|usePreventScroll|intlStrings|DismissButton|Overlay|PortalProvider)',
        'intl/overlays/en-US',
        'interactions/useInteractOutside',
        'utils/(?:runAfterKeyboard|animation|keyboard|isScrollable|getScrollParent|useViewportSize)',
      ),
      '/web/ui/(?:dialog|alert-dialog)\\.tsx$',
    ),
  },
  {
    name: 'lists',
    test: any(
      aria(
        '(?:ListBox|Popover|DragAndDrop|Select|Header|Separator|Collection|OverlayArrow)',
        '(?:menu|listbox|list|selection|select|separator)/.*',
        'overlays/(?:usePopover|useOverlayTrigger|calculatePosition|useCloseOnScroll|useOverlayPosition)',
        'interactions/(?:useContextMenu|useLongPress)',
        'collections/(?:BaseCollection|Document|useCachedChildren|CollectionBuilder|getItemCount|getChildNodes|useCollection)',
        'intl/menu/en-US',
        'i18n/(?:useListFormatter|useFilter|useCollator)',
        'focus/virtualFocus',
        'utils/(?:useEvent|getScrollParents|scrollIntoView|constants|useUpdateLayoutEffect|inertValue|useLoadMoreSentinel|useResizeObserver|useUpdateEffect)',
      ),
      '/web/ui/select\\.tsx$',
    ),
    minShareCount: 5,
  },
  {
    name: 'calendar',
    test: any(
      '/@internationalized/(?:date/|number/dist/private/NumberParser)',
      aria(
        '(?:Calendar|DateField|DatePicker|HiddenDateInput)',
        '(?:intl/)?(?:calendar|datepicker|spinbutton)/.*',
        'i18n/useDateFormatter',
        'utils/useDeepMemo',
      ),
      '/web/ui/calendar-sheet\\.tsx$',
      '/web/features/calendar/',
    ),
    minShareCount: 2,
  },
  {
    name: 'draft',
    test: any(
      '/packages/contracts/video\\.ts',
      '/web/features/(?:posts/(?:draft/(?:draft|draft-\\w+|restore-draft|tiktok-rules)|parts/allowance-words)|media/(?:upload|uploads|upload-store))\\.ts',
      '/web/lib/clock\\.',
    ),
    minShareCount: 2,
  },
  {
    name: 'files',
    test: any(
      aria(
        '(?:FileTrigger|DropZone)',
        'dnd/(?:constants|utils|DragManager|intlStrings|useVirtualDrop|useDrop|useClipboard)',
        'intl/dnd/.*',
      ),
      '/web/ui/(?:tabs|file-drop|bottom-bar)\\.tsx$',
      '/web/features/media/(?:file-name|file-name-parts|file-row|library-failed|media-grid-pending|use-library|pick-refusal|use-uploads|media-grid\\.module)\\.',
    ),
    minShareCount: 2,
  },
  {
    name: 'records',
    test: any(
      '/web/features/admin/(?:lists/(?:list-|staff-list-(?!params)|search-box|use-last-page))',
      '/web/ui/(?:records|pagination|table)\\.tsx$',
    ),
    minShareCount: 3,
  },
  {
    name: 'staff',
    test: any('/web/features/admin/parts/(?:words|load-failed|facts)\\.', '/packages/contracts/admin/'),
    minShareCount: 3,
  },
  // Not those of pages that are read before anything is pressed.
  {
    name: 'icons',
    test: any('/lucide-react/dist/esm/icons/(?!(?:check|plus|arrow-up|arrow-down|rss|log-in|layout-grid)\\.)'),
    minShareCount: 2,
  },
  {
    name: 'frame',
    test: any(
      '/web/features/(?:shell/(?:account-menu|app-providers)|parts/chunk-load-failed)\\.',
      '/web/features/auth/use-signed-out-elsewhere\\.',
      '/web/features/subscription/(?:pay-button|use-current-subscription)\\.',
      '/web/ui/(?:lazy-component|toast|icon-button|avatar|empty-state|progress-bar|card|text-area)\\.tsx$',
      '/web/lib/(?:format|use-now|use-media-query|uuid|use-page-visible)\\.',
    ),
    minShareCount: 3,
  },
]

/** For the build's `codeSplitting.groups`. */
export const chunks = [...whole, ...alone.map((group) => ({ ...group, includeDependenciesRecursively: false }))].map(
  (group, at, all) => ({ ...group, priority: all.length - at }),
)
