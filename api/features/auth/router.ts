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

export const authRouter = router({
  me: publicProcedure('never').query(({ ctx }) => currentUser(ctx)),
  studioZone: verifiedProcedure('never').query(({ ctx }) => studioZone(ctx)),
  demoLogins: publicProcedure('never').query(({ ctx }) => listDemoLogins(ctx)),
  signInWays: publicProcedure('never').query(({ ctx }) => signInWays(ctx)),
  register: publicProcedure('never')
    .input(RegisterInput)
    .mutation(({ ctx, input }) => register(ctx, input)),
  login: publicProcedure('never')
    .input(LoginInput)
    .mutation(({ ctx, input }) => logIn(ctx, input)),
  logout: signedInProcedure('never').mutation(({ ctx }) => logOut(ctx)),
  verifyEmail: publicProcedure('never')
    .input(VerifyEmailInput)
    .mutation(({ ctx, input }) => verifyEmail(ctx, input)),
  readLink: publicProcedure('never')
    .input(VerifyEmailInput)
    .query(({ ctx, input }) => readLink(ctx, input)),
  confirmLink: publicProcedure('never')
    .input(ConfirmLinkInput)
    .mutation(({ ctx, input }) => confirmLink(ctx, input)),
  confirmCode: publicProcedure('never')
    .input(ConfirmCodeInput)
    .mutation(({ ctx, input }) => confirmCode(ctx, input)),
  resendVerification: publicProcedure('never')
    .input(ResendVerificationInput)
    .mutation(({ ctx, input }) => resendVerification(ctx, input)),
  forgotPassword: publicProcedure('never')
    .input(ForgotPasswordInput)
    .mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  resetPassword: publicProcedure('never')
    .input(ResetPasswordInput)
    .mutation(({ ctx, input }) => resetPasswordHere(ctx, input)),
  account: verifiedProcedure('never').query(({ ctx }) => account(ctx)),
  updateProfile: verifiedProcedure('never')
    .input(UpdateProfileInput)
    .mutation(({ ctx, input }) => updateProfile(ctx, input)),
  ownSignInWays: verifiedProcedure('never').query(({ ctx }) => ownSignInWays(ctx)),
  removeGoogle: verifiedProcedure('never')
    .input(RemoveGoogleInput)
    .mutation(({ ctx, input }) => removeGoogle(ctx, input)),
  resendEmailChange: verifiedProcedure('never').mutation(({ ctx }) => resendEmailChange(ctx)),
  sessions: verifiedProcedure('never').query(({ ctx }) => listSessions(ctx)),
  endSession: verifiedProcedure('never')
    .input(SessionId)
    .mutation(({ ctx, input }) => endSession(ctx, input)),
  endOtherSessions: verifiedProcedure('never').mutation(({ ctx }) => endOtherSessions(ctx)),
  chooseStudioZone: verifiedProcedure('never')
    .input(StudioZone)
    .mutation(({ ctx, input }) => chooseStudioZone(ctx, input)),
  deleteAccount: verifiedProcedure('never')
    .input(DeleteAccountInput)
    .mutation(({ ctx, input }) => requestDeletion(ctx, input)),
  keepAccount: signedInProcedure('never').mutation(({ ctx }) => undoDeletion(ctx)),
  cancelEmailChange: verifiedProcedure('never').mutation(({ ctx }) => cancelEmailChange(ctx)),
})
