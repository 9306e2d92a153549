import {
  ConfirmCodeInput,
  ConfirmLinkInput,
  DeleteAccountInput,
  ForgotPasswordInput,
  LoginInput,
  RegisterInput,
  RemoveGoogleInput,
  ResendVerificationInput,
  ResetPasswordInput,
  SessionId,
  StudioZone,
  UpdateProfileInput,
  VerifyEmailInput,
} from '@flashsheet/contracts/auth/schema'
import { publicProcedure, router, signedInProcedure, verifiedProcedure } from '../../core/procedures.ts'
import { listDemoLogins } from './service/demo-logins.ts'
import { requestDeletion, undoDeletion } from './service/deletion.ts'
import { signInWays } from './service/google.ts'
import { chooseStudioZone, currentUser, logIn, logOut, studioZone } from './service/log-in.ts'
import { account, cancelEmailChange, resendEmailChange, updateProfile } from './service/profile.ts'
import { register } from './service/register.ts'
import { forgotPassword, resetPasswordHere } from './service/reset-password.ts'
import { endOtherSessions, endSession, listSessions } from './service/sessions.ts'
import { ownSignInWays, removeGoogle } from './service/sign-in-ways.ts'
import { confirmCode, confirmLink, readLink, resendVerification, verifyEmail } from './service/verify-email.ts'

const anyone = publicProcedure('never')
const verified = verifiedProcedure('never')
const signedIn = signedInProcedure('never')

export const authRouter = router({
  me: anyone.query(({ ctx }) => currentUser(ctx)),
  studioZone: verified.query(({ ctx }) => studioZone(ctx)),
  demoLogins: anyone.query(({ ctx }) => listDemoLogins(ctx)),
  signInWays: anyone.query(({ ctx }) => signInWays(ctx)),
  register: anyone.input(RegisterInput).mutation(({ ctx, input }) => register(ctx, input)),
  login: anyone.input(LoginInput).mutation(({ ctx, input }) => logIn(ctx, input)),
  logout: signedIn.mutation(({ ctx }) => logOut(ctx)),
  verifyEmail: anyone.input(VerifyEmailInput).mutation(({ ctx, input }) => verifyEmail(ctx, input)),
  readLink: anyone.input(VerifyEmailInput).query(({ ctx, input }) => readLink(ctx, input)),
  confirmLink: anyone.input(ConfirmLinkInput).mutation(({ ctx, input }) => confirmLink(ctx, input)),
  confirmCode: anyone.input(ConfirmCodeInput).mutation(({ ctx, input }) => confirmCode(ctx, input)),
  resendVerification: anyone
    .input(ResendVerificationInput)
    .mutation(({ ctx, input }) => resendVerification(ctx, input)),
  forgotPassword: anyone.input(ForgotPasswordInput).mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  resetPassword: anyone.input(ResetPasswordInput).mutation(({ ctx, input }) => resetPasswordHere(ctx, input)),
  account: verified.query(({ ctx }) => account(ctx)),
  updateProfile: verified.input(UpdateProfileInput).mutation(({ ctx, input }) => updateProfile(ctx, input)),
  ownSignInWays: verified.query(({ ctx }) => ownSignInWays(ctx)),
  removeGoogle: verified.input(RemoveGoogleInput).mutation(({ ctx, input }) => removeGoogle(ctx, input)),
  resendEmailChange: verified.mutation(({ ctx }) => resendEmailChange(ctx)),
  sessions: verified.query(({ ctx }) => listSessions(ctx)),
  endSession: verified.input(SessionId).mutation(({ ctx, input }) => endSession(ctx, input)),
  endOtherSessions: verified.mutation(({ ctx }) => endOtherSessions(ctx)),
  chooseStudioZone: verified.input(StudioZone).mutation(({ ctx, input }) => chooseStudioZone(ctx, input)),
  deleteAccount: verified.input(DeleteAccountInput).mutation(({ ctx, input }) => requestDeletion(ctx, input)),
  keepAccount: signedIn.mutation(({ ctx }) => undoDeletion(ctx)),
  cancelEmailChange: verified.mutation(({ ctx }) => cancelEmailChange(ctx)),
})
