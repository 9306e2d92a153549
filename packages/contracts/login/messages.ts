/** The reasons for which guards redirect to /login. Every page loads them, so they are not among `authMessages`. */
export const loginMessages = {
  signedOut: 'You were logged out here. Please log in again.',
  loginToConnect: 'Please log in to connect your assistant.',
  loginToOpen: 'Please log in to open this link.',
} as const
