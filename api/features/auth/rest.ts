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
import { AppError } from '../../core/errors.ts'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { finishGoogle, publicAddressOf, startGoogle } from './service/google.ts'
import { logIn, logOut } from './service/log-in.ts'
import { updateProfile } from './service/profile.ts'
import { register } from './service/register.ts'
import { forgotPassword, resetPassword } from './service/reset-password.ts'
import { resendVerification, verifyEmail } from './service/verify-email.ts'

export const authRest: readonly RestRow[] = [
  row('POST /api/users', 'public', 'never', {
    input: RegisterInput,
    answer: Message,
    status: 201,
    setsCookie: true,
    run: register,
  }),
  row('POST /api/users/auth', 'public', 'never', { input: LoginInput, answer: UserInfo, setsCookie: true, run: logIn }),
  row('POST /api/users/logout', 'signedIn', 'never', { answer: Message, run: logOut }),
  row('POST /api/users/verify-email', 'public', 'never', {
    input: VerifyEmailInput,
    answer: UserInfo,
    setsCookie: true,
    run: verifyEmail,
  }),
  row('POST /api/users/resend-verification', 'public', 'never', {
    input: ResendVerificationInput,
    answer: Message,
    run: resendVerification,
  }),
  row('POST /api/users/forgot-password', 'public', 'never', {
    input: ForgotPasswordInput,
    answer: Message,
    run: forgotPassword,
  }),
  row('POST /api/users/reset-password', 'public', 'never', {
    input: ResetPasswordInput,
    answer: Message,
    run: resetPassword,
  }),
  row('PUT /api/users/profile', 'verified', 'never', {
    input: UpdateProfileInput,
    answer: UserInfo,
    run: updateProfile,
  }),
  rawRow('GET /api/auth/google', 'public', 'never', {
    answer: { status: 302, is: 'nothing' },
    run: async (ctx, c) => {
      const publicAddress = publicAddressOf(ctx, new URL(c.req.url))
      if (publicAddress) return c.redirect(publicAddress)
      try {
        return c.redirect(await startGoogle(ctx, c.req.query('timeZone')))
      } catch (error) {
        // Browsers are redirected to a screen with a message.
        if (!(error instanceof AppError) || error.kind !== 'tooMany') throw error
        return c.redirect(`/login?${new URLSearchParams({ error: error.message }).toString()}`)
      }
    },
  }),
  rawRow('GET /api/auth/google/callback', 'public', 'never', {
    answer: { status: 302, is: 'nothing' },
    run: async (ctx, c) => {
      const { code, state, error } = c.req.query()
      return c.redirect(await finishGoogle(ctx, { code, state, error }))
    },
  }),
]
