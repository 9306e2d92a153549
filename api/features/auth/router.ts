import {
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
import { listCast } from './service/cast.ts'
import { askDeletion, undoDeletion } from './service/deletion.ts'
import { signInWays } from './service/google.ts'
import { chooseStudioZone, currentUser, logIn, logOut, studioZone } from './service/log-in.ts'
import { account, cancelEmailChange, resendEmailChange, updateProfile } from './service/profile.ts'
import { register } from './service/register.ts'
import { forgotPassword, resetPasswordHere } from './service/reset-password.ts'
import { endOtherSessions, endSession, listSessions } from './service/sessions.ts'
import { ownSignInWays, removeGoogle } from './service/sign-in-ways.ts'
import { confirmLink, readLink, resendVerification, verifyEmail } from './service/verify-email.ts'

export const authRouter = router({
  me: publicProcedure.query(({ ctx }) => currentUser(ctx)),
  studioZone: verifiedProcedure.query(({ ctx }) => studioZone(ctx)),
  cast: publicProcedure.query(({ ctx }) => listCast(ctx)),
  signInWays: publicProcedure.query(({ ctx }) => signInWays(ctx)),
  register: publicProcedure.input(RegisterInput).mutation(({ ctx, input }) => register(ctx, input)),
  login: publicProcedure.input(LoginInput).mutation(({ ctx, input }) => logIn(ctx, input)),
  logout: signedInProcedure.mutation(({ ctx }) => logOut(ctx)),
  verifyEmail: publicProcedure.input(VerifyEmailInput).mutation(({ ctx, input }) => verifyEmail(ctx, input)),
  readLink: publicProcedure.input(VerifyEmailInput).query(({ ctx, input }) => readLink(ctx, input)),
  confirmLink: publicProcedure.input(ConfirmLinkInput).mutation(({ ctx, input }) => confirmLink(ctx, input)),
  resendVerification: publicProcedure
    .input(ResendVerificationInput)
    .mutation(({ ctx, input }) => resendVerification(ctx, input)),
  forgotPassword: publicProcedure.input(ForgotPasswordInput).mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  resetPassword: publicProcedure.input(ResetPasswordInput).mutation(({ ctx, input }) => resetPasswordHere(ctx, input)),
  account: verifiedProcedure.query(({ ctx }) => account(ctx)),
  updateProfile: verifiedProcedure.input(UpdateProfileInput).mutation(({ ctx, input }) => updateProfile(ctx, input)),
  ownSignInWays: verifiedProcedure.query(({ ctx }) => ownSignInWays(ctx)),
  removeGoogle: verifiedProcedure.input(RemoveGoogleInput).mutation(({ ctx, input }) => removeGoogle(ctx, input)),
  resendEmailChange: verifiedProcedure.mutation(({ ctx }) => resendEmailChange(ctx)),
  sessions: verifiedProcedure.query(({ ctx }) => listSessions(ctx)),
  endSession: verifiedProcedure.input(SessionId).mutation(({ ctx, input }) => endSession(ctx, input)),
  endOtherSessions: verifiedProcedure.mutation(({ ctx }) => endOtherSessions(ctx)),
  chooseStudioZone: verifiedProcedure.input(StudioZone).mutation(({ ctx, input }) => chooseStudioZone(ctx, input)),
  deleteAccount: verifiedProcedure.input(DeleteAccountInput).mutation(({ ctx, input }) => askDeletion(ctx, input)),
  keepAccount: signedInProcedure.mutation(({ ctx }) => undoDeletion(ctx)),
  cancelEmailChange: verifiedProcedure.mutation(({ ctx }) => cancelEmailChange(ctx)),
})
