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
import { redirectRow, row, rowFor, type RestRow } from '../../core/rest.ts'
import { finishGoogle, publicAddressOf, startGoogle } from './service/google.ts'
import { logIn, logOut } from './service/log-in.ts'
import { updateProfile } from './service/profile.ts'
import { register } from './service/register.ts'
import { forgotPassword, resetPassword } from './service/reset-password.ts'
import { resendVerification, verifyEmail } from './service/verify-email.ts'

const anyone = rowFor('public', 'never')

export const authRest: readonly RestRow[] = [
  anyone('POST /api/users', { input: RegisterInput, answer: Message, status: 201, setsCookie: true, run: register }),
  anyone('POST /api/users/auth', { input: LoginInput, answer: UserInfo, setsCookie: true, run: logIn }),
  row('POST /api/users/logout', 'signedIn', 'never', { answer: Message, run: logOut }),
  anyone('POST /api/users/verify-email', {
    input: VerifyEmailInput,
    answer: UserInfo,
    setsCookie: true,
    run: verifyEmail,
  }),
  anyone('POST /api/users/resend-verification', {
    input: ResendVerificationInput,
    answer: Message,
    run: resendVerification,
  }),
  anyone('POST /api/users/forgot-password', { input: ForgotPasswordInput, answer: Message, run: forgotPassword }),
  anyone('POST /api/users/reset-password', { input: ResetPasswordInput, answer: Message, run: resetPassword }),
  row('PUT /api/users/profile', 'verified', 'never', {
    input: UpdateProfileInput,
    answer: UserInfo,
    run: updateProfile,
  }),
  redirectRow('GET /api/auth/google', async (ctx, c) => {
    const publicAddress = publicAddressOf(ctx, new URL(c.req.url))
    if (publicAddress) return publicAddress
    try {
      return await startGoogle(ctx, c.req.query('timeZone'))
    } catch (error) {
      // Browsers are redirected to a screen with a message.
      if (!(error instanceof AppError) || error.kind !== 'tooMany') throw error
      return `/login?${new URLSearchParams({ error: error.message }).toString()}`
    }
  }),
  redirectRow('GET /api/auth/google/callback', async (ctx, c) => {
    const { code, state, error } = c.req.query()
    return await finishGoogle(ctx, { code, state, error })
  }),
]
