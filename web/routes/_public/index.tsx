import { createFileRoute } from '@tanstack/react-router'
import { LandingScreen } from '../../features/landing/landing-screen.tsx'

export const Route = createFileRoute('/_public/')({
  head: () => ({ meta: [{ title: 'Flashsheet · Post your tattoo work once, to five networks' }] }),
  component: LandingScreen,
})
