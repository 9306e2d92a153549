import { createFileRoute } from '@tanstack/react-router'
import { DevelopersPage } from '../../features/developers/developers-page.tsx'
import { described } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/developers')({
  ...described('Developers', 'Keys, a quick start and the reference for programs that work with Flashsheet.'),
  component: DevelopersPage,
})
