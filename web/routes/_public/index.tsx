import { nameList } from '@flashsheet/contracts/networks'
import { createFileRoute } from '@tanstack/react-router'
import { LandingScreen } from '../../features/landing/landing-screen.tsx'
import { described } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/')({
  ...described(
    'Flashsheet · Post your tattoo work once, to all your networks',
    `Flashsheet posts a tattooer's work to ${nameList()} in one go, now or on schedule, and keeps a website with bookings.`,
  ),
  component: LandingScreen,
})
