import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { planIds } from '../packages/contracts/plans.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The slices, in the order in which a service may call another. */
const sliceOrder = [
  'auth',
  'keys',
  'notices',
  'assistants',
  'webhooks',
  'subscription',
  'media',
  'social',
  'website',
  'posts',
  'drafts',
  'appointments',
  'admin',
]
const sliceFiles = [
  'router',
  'rest',
  'tools',
  'webhook',
  'service',
  'rules',
  'queries',
  'view',
  'jobs',
  'worker',
  'mails',
]
const sliceFolders = ['service', 'rules', 'queries', 'router']
const drawers = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'src', 'index']
const maxLines = 500

/** Features of the browser: each may import the ones before it. */
const webFeatureOrder = [
  'parts',
  'auth',
  'notices',
  'shell',
  'subscription',
  'media',
  'social',
  'calendar',
  'posts',
  'appointments',
  'website',
  'help',
  'blog',
  'legal',
  'developers',
  'landing',
  'webhooks',
  'settings',
  'admin',
]
/** Rooms of a feature that has outgrown one folder, each with the rooms of that feature that it may import. */
const webRooms: Record<string, Record<string, readonly string[]>> = {
  posts: {
    draft: [],
    parts: ['draft'],
    wizard: ['draft', 'parts'],
    calendar: ['draft', 'parts'],
    drafts: ['draft', 'parts'],
    queue: ['draft'],
  },
  admin: {
    parts: [],
    shell: ['parts'],
    lists: ['parts'],
    artists: ['parts', 'lists'],
    orders: ['parts', 'lists'],
    dashboard: ['parts', 'lists'],
    settings: ['parts', 'lists'],
  },
}
/** Modules in one folder of a feature; beyond it the folder is split into rooms by task. */
const maxModules = 30

/** What the noun of a contract is split into; the schema alone has zod, so that a page without forms does without it. */
const contractFiles = ['limits', 'messages', 'rules', 'schema']
/** Contracts of no noun that are schemas, or parts of them. */
const sharedSchemas = ['input', 'instant', 'max-length', 'refusals']

/** What each kind of slice file may import, beside contracts, core and its own folder. */
const mayImport: Record<string, readonly string[]> = {
  router: ['service'],
  rest: ['service', 'webhook'],
  tools: ['service'],
  webhook: ['gateways', 'service'],
  service: ['service', 'rules', 'queries', 'view', 'jobs', 'mails', 'gateways', 'db'],
  rules: ['queries', 'rules', 'gateways'],
  queries: ['queries', 'db'],
  view: ['queries'],
  jobs: [],
  worker: ['jobs', 'service'],
  mails: [],
}
/** Imports that are fine for their types only. */
const typesOnly: Record<string, readonly string[]> = {
  rules: ['queries', 'gateways'],
  view: ['queries', 'service'],
  mails: ['queries'],
  jobs: ['queries'],
}

/** Where plans are named by their ids: the table, made-up artists, and Stripe's stand-in. */
const namesPlans = ['packages/contracts/plans.ts', 'db/seed/', 'packages/sandbox/']

export type SourceFile = { file: string; text: string }

type Import = { from: string; isType: boolean; names: string; isLazy?: true }

function importsOf(text: string): Import[] {
  const found: Import[] = []
  for (const match of text.matchAll(/^\s*(?:import|export)\s+(type\s+)?([^'"]*?)\s*from\s+['"]([^'"]+)['"]/gms)) {
    found.push({ from: match[3] ?? '', isType: match[1] !== undefined, names: match[2] ?? '' })
  }
  for (const match of text.matchAll(/^\s*import\s+['"]([^'"]+)['"]/gm))
    found.push({ from: match[1] ?? '', isType: false, names: '' })
  for (const match of text.matchAll(/import\(\s*['"]([^'"]+)['"]\s*\)/g))
    found.push({ from: match[1] ?? '', isType: false, names: '', isLazy: true })
  return found
}

const isTest = (file: string) => /\.test(-long)?\.tsx?$/.test(file) || file.startsWith('api/testing/')

/** Which slice and which kind of file a path in `api/features` is. */
function sliceOf(file: string): { slice: string; kind: string } | undefined {
  const parts = file.split('/')
  if (parts[0] !== 'api' || parts[1] !== 'features' || parts.length < 4) return undefined
  return { slice: parts[2] ?? '', kind: (parts[3] ?? '').replace(/\.ts$/, '') }
}

function nameProblems({ file, text }: SourceFile): string[] {
  const problems: string[] = []
  const parts = file.split('/')
  for (const part of parts) {
    const name = part.replace(/\..*$/, '')
    // The router's own name for the page of a folder.
    const isRoute = file.startsWith('web/routes/') && name === 'index'
    if (drawers.includes(name) && part !== 'index.html' && !isRoute) {
      problems.push(
        `${file}: "${name}" says nothing about what is inside. Name it after its noun, or move its content to where it is used.`,
      )
    }
    if (/[-.]v\d+$/.test(name)) problems.push(`${file}: no versions in names; git keeps the old one.`)
  }
  const base = parts.at(-1) ?? ''
  if (!/^[a-z0-9_$.-]+$/.test(base)) problems.push(`${file}: file names are kebab-case.`)
  const lines = text.split('\n').length
  if (lines > maxLines) problems.push(`${file}: ${lines} lines. Split it by verb or noun; ${maxLines} is the end.`)
  return problems
}

function sliceNameProblems(file: string): string[] {
  const found = sliceOf(file)
  if (!found) return []
  if (!sliceOrder.includes(found.slice))
    return [`${file}: "${found.slice}" is no noun of the product. A further noun needs a page in docs/decisions.`]
  if (isTest(file)) return []
  const inFolder = file.split('/').length > 4
  const legal = inFolder ? sliceFolders.includes(found.kind) : sliceFiles.includes(found.kind)
  return legal
    ? []
    : [
        `${file}: a slice holds only ${sliceFiles.join(', ')} (${sliceFolders.join(', ')} may be folders). Move the code into one of them, into core, or into gateways.`,
      ]
}

function contractProblems({ file, text }: SourceFile): string[] {
  const [top, contracts, noun = '', kind] = file.split('/')
  if (top !== 'packages' || contracts !== 'contracts' || isTest(file)) return []
  const problems: string[] = []
  if (kind !== undefined && !contractFiles.includes(kind.replace(/\.ts$/, '')))
    problems.push(`${file}: packages/contracts/${noun} holds only ${contractFiles.join(', ')}.`)
  if (/^export\s+(?:type\s+)?(?:\*|\{)/m.test(text))
    problems.push(`${file}: hands on a name. A contract has one address: import it from where it stands.`)
  return problems
}

/** What a path inside the repository is, as the arrows name it. */
function targetOf(file: string, from: string): string {
  if (!from.startsWith('.')) {
    const own = /^@flashsheet\/([a-z]+)/.exec(from)
    return own ? `@${own[1]}` : from
  }
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), from))
}

function arrowProblems({ file, text }: SourceFile): string[] {
  const problems: string[] = []
  const say = (from: string, why: string) => problems.push(`${file}: imports ${from}. ${why}`)
  const top = file.startsWith('packages/') ? (file.split('/')[1] ?? '') : (file.split('/')[0] ?? '')
  for (const { from, isType, names, isLazy } of importsOf(text)) {
    const target = targetOf(file, from)
    if (isTest(file)) continue
    if (top === 'contracts') {
      const kind = path.posix.basename(file, '.ts')
      const isSchema = (name: string) => name === 'schema' || sharedSchemas.includes(name)
      if (target !== 'zod' && !target.startsWith('packages/contracts/'))
        say(from, 'Contracts import zod and each other only.')
      else if (!isType && !isSchema(kind) && (target === 'zod' || isSchema(path.posix.basename(target, '.ts'))))
        say(from, 'Only a schema has zod or another schema: a page may need the limits alone.')
    }
    if (top === 'sandbox' && target.startsWith('@') && ['@api', '@web', '@db', '@contracts'].includes(target))
      say(from, 'The sandbox knows nothing of the product.')
    if (top === 'db' && ['@api', '@web', '@sandbox'].includes(target)) say(from, 'db imports contracts only.')
    if (top === 'api' && target === '@web') say(from, 'The server does not know the browser.')
    if (top === 'api' && target === '@sandbox' && !(file === 'api/main.ts' && (isType || isLazy)))
      say(from, 'Only the boot starts the sandbox, and loads it (`await import`) where it is on alone.')
    if (top === 'web') {
      if (target === '@api' && !(isType && names.replace(/[{}\s]/g, '') === 'AppRouter'))
        say(from, 'The browser takes the type AppRouter from the server, and nothing else.')
      if (['@db', '@sandbox'].includes(target)) say(from, 'The browser imports contracts only.')
      if (
        file.startsWith('web/ui/') &&
        (target.startsWith('web/features/') || target.startsWith('web/lib/') || target === '@contracts')
      ) {
        say(from, 'web/ui must fit another product: pass it in as a prop.')
      }
      if (file.startsWith('web/lib/') && target.startsWith('web/features/')) say(from, 'web/lib knows no feature.')
    }
    if (top === 'api') {
      const allowed = ['api/core/', 'api/gateways/', 'api/testing/']
      if (file.startsWith('api/core/') && target.startsWith('api/features/')) say(from, 'Core knows no slice.')
      if (file.startsWith('api/gateways/') && target.startsWith('api/features/')) say(from, 'A gateway knows no slice.')
      const here = sliceOf(file)
      if (!here) continue
      if (target === 'drizzle-orm' && here.kind !== 'queries') say(from, 'SQL belongs into queries or db.')
      if (target === '@db' && !isType && !['queries', 'service'].includes(here.kind))
        say(from, 'The database is reached through queries.')
      if (target === '@db' && !isType && here.kind === 'service' && from.includes('/schema/'))
        say(from, 'Tables are touched in queries only.')
      const there = sliceOf(target)
      const room = there
        ? there.kind
        : allowed.some((folder) => target.startsWith(folder))
          ? (target.split('/')[1] ?? '')
          : undefined
      if (room === undefined || room === 'core') continue
      if (there && there.slice === here.slice && there.kind === here.kind) continue
      const typeIsFine = isType && (typesOnly[here.kind]?.includes(room) ?? false)
      if (!typeIsFine && !(mayImport[here.kind]?.includes(room) ?? false)) {
        say(
          from,
          `A ${here.kind} file may import ${['contracts', 'core', ...(mayImport[here.kind] ?? [])].join(', ')}.`,
        )
      }
      if (there && there.slice !== here.slice) {
        const earlier = sliceOrder.indexOf(there.slice) < sliceOrder.indexOf(here.slice)
        if (!earlier)
          say(from, `"${here.slice}" stands before "${there.slice}": register a hook in api/wiring.ts instead.`)
        else if (there.kind !== 'service' && !isType) say(from, 'Another slice is called through its service.')
      }
    }
  }
  return problems
}

/** Whether imports between features of the browser, and between the rooms of one, run one way. */
function webFeatureProblems({ file, text }: SourceFile): string[] {
  const [, , feature = '', room = ''] = file.split('/')
  if (!file.startsWith('web/features/') || isTest(file)) return []
  if (!webFeatureOrder.includes(feature))
    return [`${file}: "${feature}" has no place in webFeatureOrder (scripts/structure.ts).`]
  const rooms = webRooms[feature]
  if (rooms && !(room in rooms))
    return [`${file}: web/features/${feature} holds only its rooms: ${Object.keys(rooms).join(', ')}.`]
  return importsOf(text).flatMap(({ from }) => {
    const target = targetOf(file, from)
    if (!target.startsWith('web/features/')) return []
    const [, , otherFeature = '', otherRoom = ''] = target.split('/')
    if (otherFeature !== feature) {
      const isEarlier = webFeatureOrder.indexOf(otherFeature) < webFeatureOrder.indexOf(feature)
      return isEarlier
        ? []
        : [
            `${file}: imports ${from}. "${feature}" stands before "${otherFeature}"; pass it in as a prop, or move what both need to web/features/parts.`,
          ]
    }
    if (!rooms || otherRoom === room || rooms[room]?.includes(otherRoom)) return []
    return [`${file}: imports ${from}. The room "${room}" may import ${rooms[room]?.join(', ') || 'no other room'}.`]
  })
}

/** What a public page may import of a slice: what it does, never its SQL, its jobs or its other doors. */
const pageKinds = ['service', 'rules']

function pageProblems({ file, text }: SourceFile): string[] {
  if (!file.startsWith('api/pages/') || isTest(file)) return []
  return importsOf(text).flatMap(({ from, isType }) => {
    const target = targetOf(file, from)
    const there = sliceOf(target)
    if (target === 'drizzle-orm' || (target === '@db' && !isType))
      return [`${file}: imports ${from}. A page has no SQL: give it a function of a service.`]
    if (there && !isType && !pageKinds.includes(there.kind))
      return [`${file}: imports ${from}. A page may import ${pageKinds.join(', ')} of a slice.`]
    return []
  })
}

/** A route is guard, search parameters, prefetch and screen. */
const routeLines = 45
function routeProblems({ file, text }: SourceFile): string[] {
  if (!file.startsWith('web/routes/')) return []
  const problems: string[] = []
  if (text.split('\n').length > routeLines)
    problems.push(`${file}: more than ${routeLines} lines. A route has no logic: it belongs into its feature.`)
  for (const { from, isType, names } of importsOf(text)) {
    if (from === 'react' && !isType && /\buse[A-Z]/.test(names))
      problems.push(`${file}: imports ${names.trim()} from react. State and effects belong into a screen.`)
    if (!isType && targetOf(file, from) === 'web/lib/trpc.ts')
      problems.push(`${file}: imports ${from}. A route prefetches by its context; calls belong into a screen.`)
  }
  return problems
}

/** Journeys see what a person sees: what they need of the database beyond that has a name in api/testing. */
function journeyProblems({ file, text }: SourceFile): string[] {
  if (!file.startsWith('e2e/')) return []
  const imports = importsOf(text).filter(
    ({ from }) =>
      /^drizzle-orm|^postgres$/.test(from) || (/^(?:db|@db)\b/.test(targetOf(file, from)) && !from.includes('/seed/')),
  )
  return [
    ...imports.map(
      ({ from }) =>
        `${file}: imports ${from}. A journey has no tables and no SQL: give it a function of api/testing/records.ts.`,
    ),
    ...(/\bclient\.(?:db|sql)\b/.test(text)
      ? [`${file}: asks the database. A journey has no SQL: give it a function of api/testing/records.ts.`]
      : []),
  ]
}

function crowdedFolderProblems(files: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { file } of files) {
    if (!file.startsWith('web/features/') || isTest(file)) continue
    const folder = path.posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > maxModules)
    .map(([folder, count]) => `${folder}: ${count} modules. Split it into rooms by task; ${maxModules} is the end.`)
}

function textProblems({ file, text }: SourceFile): string[] {
  const problems: string[] = []
  if (isTest(file)) return problems
  const product = /^(api|db|web|packages)\//.test(file)
  if (
    product &&
    /process\.env\b/.test(text) &&
    !['api/core/config.ts', 'api/main.ts', 'packages/cli/main.ts'].includes(file) &&
    !file.endsWith('vite.config.ts')
  ) {
    problems.push(`${file}: reads the environment. Settings come from core/config.ts.`)
  }
  if (product && !namesPlans.some((path) => file.startsWith(path))) {
    if (planIds.some((id) => text.includes(`'${id}'`)))
      problems.push(`${file}: asks for a plan by its id. Ask what it opens or has (packages/contracts/plans.ts).`)
    if (/'active'[,)]? (?:\|\| \w+(?:\.\w+)* === )?'past_due'/.test(text))
      problems.push(`${file}: says itself which states are live. Take liveStatuses (packages/contracts/plans.ts).`)
  }
  if (file.startsWith('web/') && /style=\{\{(?!\s*['"]--)/.test(text)) {
    problems.push(`${file}: inline style. Use a CSS module; a custom property may be set inline.`)
  }
  if (product && /\bconsole\.log\(/.test(text) && file !== 'api/main.ts')
    problems.push(`${file}: console.log. Use the logger, or nothing.`)
  return problems
}

/** Checks names, folders and imports; answers sentences that say what to do. */
export function checkStructure(files: readonly SourceFile[]): string[] {
  return files
    .flatMap((file) => [
      ...nameProblems(file),
      ...sliceNameProblems(file.file),
      ...contractProblems(file),
      ...arrowProblems(file),
      ...webFeatureProblems(file),
      ...pageProblems(file),
      ...routeProblems(file),
      ...journeyProblems(file),
      ...textProblems(file),
    ])
    .concat(crowdedFolderProblems(files))
}

/** The repository's own sources, generated ones left out. */
export function readSources(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed
    .split('\n')
    .filter((file) => file !== '' && !file.endsWith('.gen.ts') && fs.existsSync(path.join(root, file)))
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }))
}

if (import.meta.main) {
  const problems = checkStructure(readSources())
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}
