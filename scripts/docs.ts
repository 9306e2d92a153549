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

const docs = new URL('../docs/', import.meta.url)

/** The generated sections of pages. */
const sections: { page: string; name: string; make: () => string | Promise<string> }[] = [
  { page: 'data-model.md', name: 'tables', make: dataModel },
  { page: 'api.md', name: 'paths', make: apiPaths },
  ...platforms.map((platform) => ({
    page: `networks/${platform}.md`,
    name: 'evidence',
    make: () => evidenceTables(platform),
  })),
]

/** Writes the generated sections, or (`check`) only reports outdated ones. Returns sentences that say what to do. */
async function updateGeneratedSections(check: boolean): Promise<string[]> {
  const problems: string[] = []
  for (const { page, name, make } of sections) {
    const file = new URL(page, docs)
    const before = fs.readFileSync(file, 'utf8')
    const after = withGeneratedSection(before, name, await make())
    if (after === before) continue
    if (check)
      problems.push(`docs/${page}: the section "${name}" is outdated. Run \`pnpm docs:generate\` and commit the page.`)
    else fs.writeFileSync(file, after)
  }
  return problems
}

/** Writes the types of the API client, or (`check`) only reports that they are outdated. */
async function updateApiClient(check: boolean): Promise<string[]> {
  const file = new URL('../packages/api-client/openapi.gen.ts', import.meta.url)
  const types = await clientTypes(openApiOf(restTable, 'https://flashsheet.example'))
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === types) return []
  if (!check) fs.writeFileSync(file, types)
  return check ? ['packages/api-client/openapi.gen.ts is outdated. Run `pnpm docs:generate` and commit the file.'] : []
}

if (import.meta.main) {
  const check = process.argv.includes('--check')
  const problems = [
    ...(await updateGeneratedSections(check)),
    ...(await updateApiClient(check)),
    ...unlistedDecisions(),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}
