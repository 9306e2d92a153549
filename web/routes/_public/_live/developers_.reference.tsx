import { createFileRoute } from '@tanstack/react-router'
import { ReferencePage } from '../../../features/developers/reference-page.tsx'
import { described } from '../../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/_live/developers_/reference')({
  ...described('API reference', 'Every call that a program can make with an API key, to read and to try.'),
  component: ReferencePage,
})
