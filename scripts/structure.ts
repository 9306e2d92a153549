import * as path from 'node:path'
import { planIds } from '../packages/contracts/plans.ts'
import { listFiles, readFile } from './repository-files.ts'

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
const sliceFolders = ['service', 'rules', 'queries', 'router']
const vagueNames = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'src', 'index']
const maxLines = 500

/** Features of the browser, in the order in which one may import another: each only the ones before it. */
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
/** Features that are split into subfolders, each with those of its feature that it may import. */
const webSubfolders: Record<string, Record<string, readonly string[]>> = {
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
/** The maximum of modules in one folder of a feature. */
const maxModules = 30

/** The files of a noun in contracts. Only the schema imports zod, so that a page without forms does not load zod. */
const contractFiles = ['limits', 'messages', 'rules', 'schema']
/** Contracts outside the nouns that contain schemas or parts of them. */
const sharedSchemas = ['input', 'instant', 'max-length', 'refusals']

/** The kinds of slice files, and what each may import beside contracts, core and its own folder. */
const mayImport: Record<string, readonly string[]> = {
  router: ['service'],
  rest: ['service', 'webhook'],
  tools: ['service'],
  webhook: ['gateways', 'service'],
  service: ['service', 'rules', 'queries', 'view', 'jobs', 'mails', 'gateways', 'db'],
  rules: ['rules'],
  queries: ['queries', 'db'],
  view: ['rules'],
  jobs: [],
  worker: ['jobs', 'service'],
  mails: [],
}
/** Further imports that are allowed for types only. */
const typesOnly: Record<string, readonly string[]> = {
  rules: ['queries', 'gateways'],
  view: ['queries', 'service'],
  mails: ['queries'],
  jobs: ['queries'],
}

/** Paths in which plan ids may occur: the table, the made-up artists, and Stripe's stand-in. */
const planIdPaths = ['packages/contracts/plans.ts', 'db/seed/', 'packages/sandbox/']

export type SourceFile = { file: string; text: string }

type Import = { from: string; isType: boolean; names: string; isLazy?: true }

function importsOf(text: string): Import[] {
  const imports: Import[] = []
  for (const match of text.matchAll(/^\s*(?:import|export)\s+(type\s+)?([^'"]*?)\s*from\s+['"]([^'"]+)['"]/gms)) {
    imports.push({ from: match[3] ?? '', isType: match[1] !== undefined, names: match[2] ?? '' })
  }
  for (const match of text.matchAll(/^\s*import\s+['"]([^'"]+)['"]/gm))
    imports.push({ from: match[1] ?? '', isType: false, names: '' })
  for (const match of text.matchAll(/import\(\s*['"]([^'"]+)['"]\s*\)/g))
    imports.push({ from: match[1] ?? '', isType: false, names: '', isLazy: true })
  return imports
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
    // The router requires the name `index` for a folder's page.
    const isRoute = file.startsWith('web/routes/') && name === 'index'
    if (vagueNames.includes(name) && part !== 'index.html' && !isRoute) {
      problems.push(
        `${file}: "${name}" does not say what it contains. Name it after its noun, or move its content to where it is used.`,
      )
    }
    if (/[-.]v\d+$/.test(name)) problems.push(`${file}: no versions in names; git keeps the old one.`)
  }
  const base = parts.at(-1) ?? ''
  if (!/^[a-z0-9_$.-]+$/.test(base)) problems.push(`${file}: file names are kebab-case.`)
  const lines = text.split('\n').length
  if (lines > maxLines) problems.push(`${file}: ${lines} lines. Split it by verb or noun; the limit is ${maxLines}.`)
  return problems
}

function sliceNameProblems(file: string): string[] {
  const location = sliceOf(file)
  if (!location) return []
  if (!sliceOrder.includes(location.slice))
    return [`${file}: "${location.slice}" is no noun of the product. A new noun needs a page in docs/decisions.`]
  if (isTest(file)) return []
  const inFolder = file.split('/').length > 4
  const isAllowed = (inFolder ? sliceFolders : Object.keys(mayImport)).includes(location.kind)
  return isAllowed
    ? []
    : [
        `${file}: a slice holds only ${Object.keys(mayImport).join(', ')} (${sliceFolders.join(', ')} may be folders). Move the code into one of them, into core, or into gateways.`,
      ]
}

function contractProblems({ file, text }: SourceFile): string[] {
  const [top, contracts, noun = '', kind] = file.split('/')
  if (top !== 'packages' || contracts !== 'contracts' || isTest(file)) return []
  const problems: string[] = []
  if (kind !== undefined && !contractFiles.includes(kind.replace(/\.ts$/, '')))
    problems.push(`${file}: packages/contracts/${noun} holds only ${contractFiles.join(', ')}.`)
  if (/^export\s+(?:type\s+)?(?:\*|\{)/m.test(text))
    problems.push(`${file}: re-exports a name. Import each name from the file that defines it.`)
  return problems
}

/** The imported path from the root of the repository, or `@name` for one of our packages. */
function targetOf(file: string, from: string): string {
  if (!from.startsWith('.')) {
    const own = /^@flashsheet\/([a-z]+)/.exec(from)
    return own ? `@${own[1]}` : from
  }
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), from))
}

/** Imports that are forbidden below a folder. */
const forbidden: readonly { below: string; from: RegExp; why: string }[] = [
  { below: 'packages/sandbox/', from: /^@(?:api|web|db|contracts)$/, why: 'The sandbox knows nothing of the product.' },
  { below: 'db/', from: /^@(?:api|web|sandbox)$/, why: 'db imports contracts only.' },
  { below: 'api/', from: /^@web$/, why: 'The server does not know the browser.' },
  { below: 'api/core/', from: /^api\/features\//, why: 'Core knows no slice.' },
  { below: 'api/gateways/', from: /^api\/features\//, why: 'A gateway knows no slice.' },
  { below: 'web/', from: /^@(?:db|sandbox)$/, why: 'The browser imports contracts only.' },
  {
    below: 'web/ui/',
    from: /^(?:web\/(?:features|lib)\/|@contracts$)/,
    why: 'web/ui must fit another product: pass the value in as a prop.',
  },
  { below: 'web/lib/', from: /^web\/features\//, why: 'web/lib knows no feature.' },
]

function arrowProblems({ file, text }: SourceFile): string[] {
  if (isTest(file)) return []
  const problems: string[] = []
  const report = (from: string, why: string) => problems.push(`${file}: imports ${from}. ${why}`)
  for (const { from, isType, names, isLazy } of importsOf(text)) {
    const target = targetOf(file, from)
    for (const rule of forbidden) if (file.startsWith(rule.below) && rule.from.test(target)) report(from, rule.why)
    if (file.startsWith('packages/contracts/')) {
      const isSchema = (name: string) => name === 'schema' || sharedSchemas.includes(name)
      if (target !== 'zod' && !target.startsWith('packages/contracts/'))
        report(from, 'Contracts import zod and each other only.')
      else if (
        !isType &&
        !isSchema(path.posix.basename(file, '.ts')) &&
        (target === 'zod' || isSchema(path.posix.basename(target, '.ts')))
      )
        report(from, 'Only a schema imports zod or another schema: a page may need the limits alone.')
    }
    if (file.startsWith('web/') && target === '@api' && !(isType && names.replace(/[{}\s]/g, '') === 'AppRouter'))
      report(from, 'The browser takes the type AppRouter from the server, and nothing else.')
    if (file.startsWith('api/')) {
      if (target === '@sandbox' && !(file === 'api/main.ts' && (isType || isLazy)))
        report(from, 'Only the boot loads the sandbox (`await import`), and only where it is enabled.')
      const allowed = ['api/core/', 'api/gateways/', 'api/testing/']
      const here = sliceOf(file)
      if (!here) continue
      if (target === 'drizzle-orm' && here.kind !== 'queries') report(from, 'SQL belongs into queries or db.')
      if (target === '@db' && !isType && !['queries', 'service'].includes(here.kind))
        report(from, 'The database is reached through queries.')
      if (target === '@db' && !isType && here.kind === 'service' && from.includes('/schema/'))
        report(from, 'Tables are touched in queries only.')
      const there = sliceOf(target)
      const kind = there
        ? there.kind
        : allowed.some((folder) => target.startsWith(folder))
          ? (target.split('/')[1] ?? '')
          : undefined
      if (kind === undefined || kind === 'core') continue
      if (there && there.slice === here.slice && there.kind === here.kind) continue
      const [values, types] = [mayImport[here.kind] ?? [], typesOnly[here.kind] ?? []]
      if (!values.includes(kind) && !(isType && types.includes(kind))) {
        const list = ['contracts', 'core', ...values, ...types.map((one) => `types of ${one}`)].join(', ')
        report(from, `A ${here.kind} file may import ${list}.`)
      }
      if (there && there.slice !== here.slice) {
        const earlier = sliceOrder.indexOf(there.slice) < sliceOrder.indexOf(here.slice)
        if (!earlier)
          report(from, `"${here.slice}" comes before "${there.slice}": register a hook in api/wiring.ts instead.`)
        else if (there.kind !== 'service' && !isType) report(from, 'Another slice is called through its service.')
      }
    }
  }
  return problems
}

/** Whether imports between features of the browser, and between the subfolders of one, run one way. */
function webFeatureProblems({ file, text }: SourceFile): string[] {
  const [, , feature = '', folder = ''] = file.split('/')
  if (!file.startsWith('web/features/') || isTest(file)) return []
  if (!webFeatureOrder.includes(feature))
    return [`${file}: "${feature}" has no place in webFeatureOrder (scripts/structure.ts).`]
  const subfolders = webSubfolders[feature]
  if (subfolders && !(folder in subfolders))
    return [`${file}: web/features/${feature} holds only its subfolders: ${Object.keys(subfolders).join(', ')}.`]
  return importsOf(text).flatMap(({ from }) => {
    const target = targetOf(file, from)
    if (!target.startsWith('web/features/')) return []
    const [, , otherFeature = '', otherFolder = ''] = target.split('/')
    if (otherFeature !== feature) {
      const isEarlier = webFeatureOrder.indexOf(otherFeature) < webFeatureOrder.indexOf(feature)
      return isEarlier
        ? []
        : [
            `${file}: imports ${from}. "${feature}" comes before "${otherFeature}"; pass it in as a prop, or move what both need to web/features/parts.`,
          ]
    }
    if (!subfolders || otherFolder === folder || subfolders[folder]?.includes(otherFolder)) return []
    return [
      `${file}: imports ${from}. The subfolder "${folder}" may import ${subfolders[folder]?.join(', ') || 'none of the others'}.`,
    ]
  })
}

/** The kinds of slice files that a public page may import: no SQL, no jobs, no REST and tRPC. */
const pageKinds = ['service', 'rules']

function pageProblems({ file, text }: SourceFile): string[] {
  if (!file.startsWith('api/pages/') || isTest(file)) return []
  return importsOf(text).flatMap(({ from, isType }) => {
    const target = targetOf(file, from)
    const there = sliceOf(target)
    if (target === 'drizzle-orm' || (target === '@db' && !isType))
      return [`${file}: imports ${from}. A page has no SQL: call a function of a service.`]
    if (there && !isType && !pageKinds.includes(there.kind))
      return [`${file}: imports ${from}. A page may import ${pageKinds.join(', ')} of a slice.`]
    return []
  })
}

/** The maximum of lines of a route: guard, search parameters, prefetch and screen. */
const maxRouteLines = 45
function routeProblems({ file, text }: SourceFile): string[] {
  if (!file.startsWith('web/routes/')) return []
  const problems: string[] = []
  if (text.split('\n').length > maxRouteLines)
    problems.push(`${file}: more than ${maxRouteLines} lines. A route has no logic: it belongs into its feature.`)
  for (const { from, isType, names } of importsOf(text)) {
    if (from === 'react' && !isType && /\buse[A-Z]/.test(names))
      problems.push(`${file}: imports ${names.trim()} from react. State and effects belong into a screen.`)
    if (!isType && targetOf(file, from) === 'web/lib/trpc.ts')
      problems.push(`${file}: imports ${from}. A route prefetches by its context; calls belong into a screen.`)
  }
  return problems
}

/** A journey uses the product as a person does. Its access to the database is a named function in api/testing. */
function journeyProblems({ file, text }: SourceFile): string[] {
  if (!file.startsWith('e2e/')) return []
  const imports = importsOf(text).filter(
    ({ from }) =>
      /^drizzle-orm|^postgres$/.test(from) || (/^(?:db|@db)\b/.test(targetOf(file, from)) && !from.includes('/seed/')),
  )
  return [
    ...imports.map(
      ({ from }) =>
        `${file}: imports ${from}. A journey has no tables and no SQL: call a function of api/testing/records.ts.`,
    ),
    ...(/\bclient\.(?:db|sql)\b/.test(text)
      ? [`${file}: queries the database. A journey has no SQL: call a function of api/testing/records.ts.`]
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
    .map(
      ([folder, count]) => `${folder}: ${count} modules. Split it into subfolders by task; the limit is ${maxModules}.`,
    )
}

/** The kinds of slice files that a file of the same name in `api` registers. */
const registeredKinds = ['router', 'rest', 'tools', 'worker']

/** A job, path or tool that is not registered compiles, but does not exist. */
function unregisteredProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ file }) => {
    const [, slice = '', kind = ''] = /^api\/features\/(\w+)\/(\w+)\.ts$/.exec(file) ?? []
    const registry = registeredKinds.includes(kind) && files.find((one) => one.file === `api/${kind}.ts`)
    return !registry || registry.text.includes(`'./features/${slice}/${kind}.ts'`)
      ? []
      : [`${file}: is not registered. Add it to api/${kind}.ts.`]
  })
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
  if (product && !planIdPaths.some((path) => file.startsWith(path))) {
    if (planIds.some((id) => text.includes(`'${id}'`)))
      problems.push(`${file}: compares a plan's id. Check what the plan opens or has (packages/contracts/plans.ts).`)
    if (/'active'[,)]? (?:\|\| \w+(?:\.\w+)* === )?'past_due'/.test(text))
      problems.push(`${file}: repeats which states are live. Use liveStatuses (packages/contracts/plans.ts).`)
  }
  if (file.startsWith('web/') && /style=\{\{(?!\s*['"]--)/.test(text)) {
    problems.push(`${file}: inline style. Use a CSS module; a custom property may be set inline.`)
  }
  if (product && /\bconsole\.log\(/.test(text) && file !== 'api/main.ts')
    problems.push(`${file}: console.log. Use the logger, or nothing.`)
  return problems
}

/** Checks names, folders and imports. Returns a sentence for each problem that says what to do. */
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
    .concat(crowdedFolderProblems(files), unregisteredProblems(files))
}

/** The repository's sources without generated ones. */
export function readSources(): SourceFile[] {
  return listFiles('*.ts', '*.tsx')
    .filter((file) => !file.endsWith('.gen.ts'))
    .map((file) => ({ file, text: readFile(file) }))
}

if (import.meta.main) {
  const problems = checkStructure(readSources())
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}
