import {
  ForgotPasswordInput,
  LoginInput,
  Message,
  RegisterInput,
  ResendVerificationInput,
  ResetPasswordInput,
  UpdateProfileInput,
  UserInfo,
  VerifyEmailInput,
} from '@flashsheet/contracts/auth/schema'
import { z } from 'zod'
import { cookieLine } from '../../core/cookies.ts'
import { AppError } from '../../core/errors.ts'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { finishGoogle, ownNameFor, startGoogle } from './service/google.ts'
import { logIn, logOut } from './service/log-in.ts'
import { updateProfile } from './service/profile.ts'
import { register } from './service/register.ts'
import { forgotPassword, resetPassword } from './service/reset-password.ts'
import { resendVerification, verifyEmail } from './service/verify-email.ts'

/** The maximum seconds of a sign-in at Google: its cookie binds it to the browser that began it. */
const googleSeconds = 600

export const authRest: readonly RestRow[] = [
  row({
    method: 'POST',
    path: '/api/users',
    guard: 'public',
    key: 'never',
    answer: Message,
    input: RegisterInput,
    status: 201,
    setsCookie: true,
    run: register,
  }),
  row({
    method: 'POST',
    path: '/api/users/auth',
    guard: 'public',
    key: 'never',
    answer: UserInfo,
    input: LoginInput,
    setsCookie: true,
    run: logIn,
  }),
  row({
    method: 'POST',
    path: '/api/users/logout',
    guard: 'signedIn',
    key: 'never',
    answer: Message,
    input: z.object({}),
    run: logOut,
  }),
  row({
    method: 'POST',
    path: '/api/users/verify-email',
    guard: 'public',
    key: 'never',
    answer: UserInfo,
    input: VerifyEmailInput,
    setsCookie: true,
    run: verifyEmail,
  }),
  row({
    method: 'POST',
    path: '/api/users/resend-verification',
    guard: 'public',
    key: 'never',
    answer: Message,
    input: ResendVerificationInput,
    run: resendVerification,
  }),
  row({
    method: 'POST',
    path: '/api/users/forgot-password',
    guard: 'public',
    key: 'never',
    answer: Message,
    input: ForgotPasswordInput,
    run: forgotPassword,
  }),
  row({
    method: 'POST',
    path: '/api/users/reset-password',
    guard: 'public',
    key: 'never',
    answer: Message,
    input: ResetPasswordInput,
    run: resetPassword,
  }),
  row({
    method: 'PUT',
    path: '/api/users/profile',
    guard: 'verified',
    key: 'never',
    answer: UserInfo,
    input: UpdateProfileInput,
    run: updateProfile,
  }),
  rawRow({
    method: 'GET',
    path: '/api/auth/google',
    guard: 'public',
    key: 'never',
    answer: { status: 302, is: 'nothing' },
    takes: 'nothing',
    run: async (ctx, c) => {
      const ownName = ownNameFor(ctx, new URL(c.req.url))
      if (ownName) return c.redirect(ownName)
      try {
        const { url, secret } = await startGoogle(ctx, { timeZone: c.req.query('timeZone') })
        ctx.setCookie(cookieLine(ctx.config.publicUrl, 'google', secret, googleSeconds))
        return c.redirect(url)
      } catch (error) {
        // Browsers are redirected to a screen with a message.
        if (!(error instanceof AppError) || error.kind !== 'tooMany') throw error
        return c.redirect(`/login?${new URLSearchParams({ error: error.message }).toString()}`)
      }
    },
  }),
  rawRow({
    method: 'GET',
    path: '/api/auth/google/callback',
    guard: 'public',
    key: 'never',
    answer: { status: 302, is: 'nothing' },
    takes: 'nothing',
    run: async (ctx, c) => {
      const { code, state, error } = c.req.query()
      const to = await finishGoogle(ctx, { code, state, error }, ctx.cookie('google'))
      ctx.setCookie(cookieLine(ctx.config.publicUrl, 'google', '', 0))
      return c.redirect(to)
    },
  }),
]
