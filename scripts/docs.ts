import { clientTypes } from '@flashsheet/api-client/generate'
import { platforms } from '@flashsheet/contracts/networks'
import * as fs from 'node:fs'
import { openApiOf } from '../api/openapi/document.ts'
import { restTable } from '../api/rest.ts'
import { apiPaths } from './api-page.ts'
import { dataModel } from './data-model.ts'
import { unlistedDecisions } from './decisions.ts'
import { evidenceTables } from './evidence-tables.ts'
import { withGeneratedSection } from './generated-section.ts'

const root = new URL('../', import.meta.url)

/** A file that is generated, as a whole or in part. */
type Generated = { file: string; make: (before: string) => Promise<string> }

const section = (page: string, name: string, content: () => string | Promise<string>): Generated => ({
  file: `docs/${page}`,
  make: async (before) => withGeneratedSection(before, name, await content()),
})

const generated: Generated[] = [
  section('data-model.md', 'tables', dataModel),
  section('api.md', 'paths', apiPaths),
  ...platforms.map((platform) => section(`networks/${platform}.md`, 'evidence', () => evidenceTables(platform))),
  {
    file: 'packages/api-client/openapi.gen.ts',
    make: async () => await clientTypes(openApiOf(restTable, 'https://flashsheet.example')),
  },
]

/** Writes the generated files, or (`check`) only reports outdated ones. Returns sentences that say what to do. */
async function updateGenerated(check: boolean): Promise<string[]> {
  const problems: string[] = []
  for (const { file, make } of generated) {
    const path = new URL(file, root)
    const before = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : ''
    const after = await make(before)
    if (after === before) continue
    if (check) problems.push(`${file} is outdated. Run \`pnpm docs:generate\` and commit it.`)
    else fs.writeFileSync(path, after)
  }
  return problems
}

if (import.meta.main) {
  const problems = [...(await updateGenerated(process.argv.includes('--check'))), ...unlistedDecisions()]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}
