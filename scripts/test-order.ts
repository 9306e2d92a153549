import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Long ones come first, so that no worker is alone with one in the end; a worker that goes on within a project keeps what it has loaded. */
const projects = ['e2e', 'api', 'unit']

/** Longer than their size would say, which is what there is to go by in a fresh checkout. */
const long = ['api/features/posts/kill.test.ts']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => projects.indexOf(project.name) * 2 + (long.some((file) => moduleId.endsWith(file)) ? 0 : 1)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
