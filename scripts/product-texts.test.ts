import { expect, test } from 'vitest'
import { mediaMessages } from '../packages/contracts/media/messages.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import { socialMessages } from '../packages/contracts/social/messages.ts'
import { galleryMessages } from '../packages/contracts/website/messages.ts'
import { listFiles, readFile } from './repository-files.ts'

/** All texts of the product: its sources without tests and the seed. */
const productText = listFiles('api', 'web', 'packages/contracts')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test(-long)?\.tsx?$|^api\/testing\//.test(file))
  .map((file) => readFile(file).replaceAll("\\'", "'").replace(/\s+/g, ' '))
  .join('\n')

/** The sentences that people read, word for word (docs/product/screens.md). */
const catalogue = [
  // Fallbacks
  'Failed to create checkout session',
  'Invalid plan selected',
  'Something went wrong',
  'Failed to get subscription',
  'Failed to cancel subscription',
  'Failed to reactivate subscription',
  'Failed to get plans',
  'Verification failed',
  'Failed to send verification email',
  'Failed to send password reset email',
  'Failed to reset password',
  'Failed to add to gallery',
  'Failed to remove from gallery',
  'Failed to upload files',
  'Failed to connect account',
  'Failed to remove page',
  'Failed to load social accounts. Please try again later.',
  'Failed to reschedule post',
  'Failed to update appointment',
  'Failed to delete appointment',
  'Failed to create appointment',
  'Upload failed',
  // Inline messages and successes
  'Error loading accounts. Please try again.',
  'The verification link is invalid or has expired.',
  'Account created successfully! Please check your email for verification link.',
  'Email verified successfully!',
  'Verification email sent successfully!',
  'Password reset email sent successfully!',
  'Password reset successfully!',
  'Profile updated successfully',
  'Added to gallery!',
  'Account disconnected successfully',
  'Post rescheduled successfully!',
  'Appointment updated successfully!',
  'Appointment Deleted successfully!',
  'Appointment created successfully!',
  'Saved successfully.',
  'Welcome to your new subscription! 🎉',
  'FETCH_ERROR',
  'TIMEOUT_ERROR',
  'PARSING_ERROR',
  // Fields and hints
  'Video only — disabled for image posts',
  'Loading accounts...',
  'No social media accounts connected.',
  'No accounts connected.',
  'No Media Found',
  'No Gallery Media',
  'Your subscription was canceled. You can reactivate it anytime.',
  'Your payment failed. Please update your payment method.',
  'Payment is required to continue your subscription.',
  'Your subscription setup was not completed.',
  'Scheduled post successfully!',
  'An error occurred while posting.',
  'Premium Access Required',
  'You need an active subscription to access the dashboard and premium features.',
  'Your account has been deactivated. Please contact an administrator.',
  "You don't have permission to access this page. Admin privileges are required.",
  'This action cannot be undone.',
  'No users found',
  'No orders found',
  // Forms
  'Please enter your email address.',
  'Please enter your password.',
  'Please enter your name.',
  'Please confirm your password.',
  'Passwords do not match',
  'Invalid reset link. Please request a new password reset.',
  'Please fill in all fields',
  'Password must be at least 6 characters long',
  'Please enter the verification token',
  'Please select a valid video file (MP4 or MOV)',
  'Video size must be less than 300MB',
  'Video duration must be less than 3 minutes',
  'Error validating video duration',
  'Please select a valid image file (JPG or PNG)',
  'Image size must be less than 20MB',
  'Unsupported file type',
  'Failed to upload file',
  'Domain name is required',
  'Time slot is required',
  'Date is required',
  'Either email or phone is required',
]

test.each(catalogue)('the product contains: %s', (sentence) => {
  expect(productText).toContain(sentence)
})

test('sentences with a number or a network have the expected words', () => {
  expect(postMessages.tooManyImages).toBe('You can post up to 10 images only at a time.')
  expect(postMessages.postedAll(5)).toBe('Posted successfully to 5 social(s).')
  expect(postMessages.postedSome(2, 1)).toBe('Posted to 2 social(s), but failed on 1.')
  expect(postMessages.postedNone(3)).toBe('Failed to post to all 3 social(s).')
  expect(galleryMessages.added(2)).toBe('2 item(s) added to gallery!')
  expect(galleryMessages.removed(2)).toBe('2 item(s) removed from gallery!')
  expect(mediaMessages.deleted(4)).toBe('4 item(s) successfully deleted.')
  expect(socialMessages.connected('facebook')).toBe('Facebook account connected successfully!')
  expect(socialMessages.redirecting('facebook')).toBe('Redirecting to Facebook login...')
})
