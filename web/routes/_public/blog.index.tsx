import { createFileRoute } from '@tanstack/react-router'
import { BlogScreen } from '../../features/blog/blog-screen.tsx'
import { described } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/blog/')({
  ...described(
    'Blog',
    'Notes for people who tattoo and post: photos, captions, bookings, and what the networks do with your work.',
  ),
  component: BlogScreen,
})
