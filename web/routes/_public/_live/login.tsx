import { createFileRoute } from '@tanstack/react-router'
import { redirectWhenSignedIn } from '../../../features/auth/guards.ts'
import { LoginScreen } from '../../../features/auth/login-screen.tsx'
import { described } from '../../../features/parts/route-head.ts'
import { searchValidator, text } from '../../../lib/search.ts'

// `error`: why the browser was redirected here, such as the end of the session. `from`: the path to return to.
const search = searchValidator({ error: text(300), from: text(13_000) })

export const Route = createFileRoute('/_public/_live/login')({
  ...described('Log in', 'Log in to Flashsheet.'),
  validateSearch: search,
  beforeLoad: async ({ context }) => {
    await redirectWhenSignedIn(context.live, '/new-post')
  },
  component: Login,
})

function Login() {
  const { error, from } = Route.useSearch()
  return <LoginScreen reason={error} from={from} />
}
