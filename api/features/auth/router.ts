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
import { call, publicProcedure, router, signedInProcedure, verifiedProcedure } from '../../core/procedures.ts'
import { listDemoLogins } from './service/demo-logins.ts'
import { requestDeletion, undoDeletion } from './service/deletion.ts'
import { getSignInMethods } from './service/google.ts'
import { setStudioZone, getCurrentUser, logIn, logOut, getStudioZone } from './service/log-in.ts'
import { getAccount, cancelEmailChange, resendEmailChange, updateProfile } from './service/profile.ts'
import { register } from './service/register.ts'
import { forgotPassword, resetPasswordHere } from './service/reset-password.ts'
import { endOtherSessions, endSession, listSessions } from './service/sessions.ts'
import { getOwnSignInMethods, removeGoogle } from './service/sign-in-methods.ts'
import { confirmCode, confirmLink, readLink, resendVerification, verifyEmail } from './service/verify-email.ts'

const anyone = publicProcedure('never')
const verified = verifiedProcedure('never')
const signedIn = signedInProcedure('never')

export const authRouter = router({
  me: anyone.query(call(getCurrentUser)),
  studioZone: verified.query(call(getStudioZone)),
  demoLogins: anyone.query(call(listDemoLogins)),
  signInMethods: anyone.query(call(getSignInMethods)),
  register: anyone.input(RegisterInput).mutation(call(register)),
  login: anyone.input(LoginInput).mutation(call(logIn)),
  logout: signedIn.mutation(call(logOut)),
  verifyEmail: anyone.input(VerifyEmailInput).mutation(call(verifyEmail)),
  readLink: anyone.input(VerifyEmailInput).query(call(readLink)),
  confirmLink: anyone.input(ConfirmLinkInput).mutation(call(confirmLink)),
  confirmCode: anyone.input(ConfirmCodeInput).mutation(call(confirmCode)),
  resendVerification: anyone.input(ResendVerificationInput).mutation(call(resendVerification)),
  forgotPassword: anyone.input(ForgotPasswordInput).mutation(call(forgotPassword)),
  resetPassword: anyone.input(ResetPasswordInput).mutation(call(resetPasswordHere)),
  account: verified.query(call(getAccount)),
  updateProfile: verified.input(UpdateProfileInput).mutation(call(updateProfile)),
  ownSignInMethods: verified.query(call(getOwnSignInMethods)),
  removeGoogle: verified.input(RemoveGoogleInput).mutation(call(removeGoogle)),
  resendEmailChange: verified.mutation(call(resendEmailChange)),
  sessions: verified.query(call(listSessions)),
  endSession: verified.input(SessionId).mutation(call(endSession)),
  endOtherSessions: verified.mutation(call(endOtherSessions)),
  chooseStudioZone: verified.input(StudioZone).mutation(call(setStudioZone)),
  deleteAccount: verified.input(DeleteAccountInput).mutation(call(requestDeletion)),
  keepAccount: signedIn.mutation(call(undoDeletion)),
  cancelEmailChange: verified.mutation(call(cancelEmailChange)),
})
