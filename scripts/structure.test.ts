import { expect, test } from 'vitest'
import { checkStructure } from './structure.ts'

const problemsOf = (file: string, text: string) => checkStructure([{ file, text }])

test.each([
  ['a comparison with a plan id', 'api/features/posts/service/create.ts', "if (plan === 'complete-shading') stop()"],
  ['a list of the live states', 'api/features/posts/queries/posts.ts', "inArray(status, ['active', 'past_due'])"],
  [
    'a comparison with the live states',
    'web/lib/live.ts',
    "const on = s.status === 'active' || s.status === 'past_due'",
  ],
  ['zod beside limits', 'packages/contracts/posts/limits.ts', "import { z } from 'zod'"],
  ['a schema beside messages', 'packages/contracts/posts/messages.ts', "import { Post } from './schema.ts'"],
  ['an unknown file of a contract noun', 'packages/contracts/posts/words.ts', 'export const a = 1'],
  ['a static import of the sandbox', 'api/main.ts', "import { startSandbox } from '@flashsheet/sandbox'"],
  ['SQL in a page', 'api/pages/home.ts', "import { findSite } from '../features/website/queries/sites.ts'"],
  [
    'a value of a query in a rule',
    'api/features/posts/rules/retry.ts',
    "import { findPost } from '../queries/posts.ts'",
  ],
  ['a value of a query in a view', 'api/features/posts/view.ts', "import { findPost } from './queries/posts.ts'"],
  ['a slice in the core', 'api/core/jobs.ts', "import { findPost } from '../features/posts/queries/posts.ts'"],
  ['the database in the browser', 'web/lib/live.ts', "import { users } from '@flashsheet/db/schema/auth'"],
  ['contracts in a component', 'web/ui/button.tsx', "import { plans } from '@flashsheet/contracts/plans'"],
  ['state in a route', 'web/routes/admin.tsx', "import { useState } from 'react'"],
  ['a re-export in a contract', 'packages/contracts/posts/schema.ts', "export * from './limits.ts'"],
])('refuses %s', (_what, file, text) => {
  expect(problemsOf(file, text)).toHaveLength(1)
})

test.each([
  ['plan ids in the table of plans', 'packages/contracts/plans.ts', "export const planIds = ['complete-shading']"],
  ['a check of what a plan opens', 'api/core/guards.ts', "if (!isEntitled(subscription, 'studio')) stop()"],
  ['a dynamic import of the sandbox', 'api/main.ts', "const { a } = await import('@flashsheet/sandbox')"],
  [
    'a type of a query in a rule',
    'api/features/posts/rules/retry.ts',
    "import type { Row } from '../queries/posts.ts'",
  ],
  ['a type import from a schema', 'packages/contracts/posts/rules.ts', "import type { Post } from './schema.ts'"],
])('accepts %s', (_what, file, text) => {
  expect(problemsOf(file, text)).toEqual([])
})

test.each([
  ['router', "import { draftsRouter } from './features/drafts/router.ts'"],
  ['rest', "import { draftRest } from './features/drafts/rest.ts'"],
  ['tools', "import { draftTools } from './features/drafts/tools.ts'"],
  ['worker', "import { draftJobs } from './features/drafts/worker.ts'"],
])('refuses a %s of a slice that is not registered', (kind, registration) => {
  const problems = (text: string) =>
    checkStructure([
      { file: `api/${kind}.ts`, text },
      { file: `api/features/drafts/${kind}.ts`, text: '' },
    ])
  expect(problems('')).toEqual([`api/features/drafts/${kind}.ts: is not registered. Add it to api/${kind}.ts.`])
  expect(problems(registration)).toEqual([])
})
