import {
  ForgotPasswordInput,
  LoginInput,
  RegisterInput,
  ResendVerificationInput,
  ResetPasswordInput,
  UpdateProfileInput,
  VerifyEmailInput,
} from '@flashsheet/contracts/auth'
import { getCookie } from 'hono/cookie'
import { serialize, type CookieOptions } from 'hono/utils/cookie'
import { z } from 'zod'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { finishGoogle, ownNameFor, startGoogle } from './service/google.ts'
import { logIn, logOut } from './service/log-in.ts'
import { updateProfile } from './service/profile.ts'
import { register } from './service/register.ts'
import { forgotPassword, resetPassword } from './service/reset-password.ts'
import { resendVerification, verifyEmail } from './service/verify-email.ts'

/** Binds a sign-in at Google to the browser that began it. */
const walkCookie = 'flashsheet_google'
const walkCookieOptions = (publicUrl: string, maxAge: number): CookieOptions => ({
  httpOnly: true,
  // Google sends the browser back by a link, which Lax lets through.
  sameSite: 'Lax',
  path: '/api/auth/google',
  secure: publicUrl.startsWith('https:'),
  maxAge,
})

export const authRest: readonly RestRow[] = [
  row({ method: 'POST', path: '/api/users', guard: 'public', input: RegisterInput, status: 201, run: register }),
  row({ method: 'POST', path: '/api/users/auth', guard: 'public', input: LoginInput, run: logIn }),
  row({ method: 'POST', path: '/api/users/logout', guard: 'signedIn', input: z.object({}), run: logOut }),
  row({ method: 'POST', path: '/api/users/verify-email', guard: 'public', input: VerifyEmailInput, run: verifyEmail }),
  row({ method: 'POST', path: '/api/users/resend-verification', guard: 'public', input: ResendVerificationInput, run: resendVerification }),
  row({ method: 'POST', path: '/api/users/forgot-password', guard: 'public', input: ForgotPasswordInput, run: forgotPassword }),
  row({ method: 'POST', path: '/api/users/reset-password', guard: 'public', input: ResetPasswordInput, run: resetPassword }),
  row({ method: 'PUT', path: '/api/users/profile', guard: 'verified', input: UpdateProfileInput, run: updateProfile }),
  rawRow({
    method: 'GET',
    path: '/api/auth/google',
    guard: 'public',
    run: async (ctx, c) => {
      const ownName = ownNameFor(ctx, new URL(c.req.url))
      if (ownName) return c.redirect(ownName)
      const { url, secret } = await startGoogle(ctx, { timeZone: c.req.query('timeZone') })
      ctx.setCookie(serialize(walkCookie, secret, walkCookieOptions(ctx.config.publicUrl, 600)))
      return c.redirect(url)
    },
  }),
  rawRow({
    method: 'GET',
    path: '/api/auth/google/callback',
    guard: 'public',
    run: async (ctx, c) => {
      const { code, state, error } = c.req.query()
      const to = await finishGoogle(ctx, { code, state, error }, getCookie(c, walkCookie))
      ctx.setCookie(serialize(walkCookie, '', walkCookieOptions(ctx.config.publicUrl, 0)))
      return c.redirect(to)
    },
  }),
]
