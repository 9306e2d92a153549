import { nameList } from '../networks.ts'

/** The instructions that an assistant gets before its first call. */
export const assistantInstructions = `Flashsheet posts a tattoo artist’s pictures and videos to ${nameList()}, and holds their library, website and appointments.

Prepare posts by create_draft. Post or schedule only what the artist asked for, in the words they agreed to. Begin with list_accounts (where to post) and list_media (what to post). Times are instants with a zone, such as 2026-05-04T15:00:00-04:00. A post goes out by itself after its call was answered: get_post tells what became of it on each page.`

export const toolMessages = {
  unknownTool: (name: string) => `There is no tool ${name}.`,
  unknownField: (name: string) => `There is no field ${name}.`,
  oneAtATime: 'Please send one message at a time.',
  postOnly: 'Assistants send POST requests here.',
  requestIdRequired: 'Please give this request an id of your own, such as a UUID.',
  sent: (pages: number) =>
    `Sent to ${pages} ${pages === 1 ? 'page' : 'pages'}. Publishing continues in the background. Call get_post for the result.`,
  scheduled: (at: string, pages: number) => `Scheduled for ${at} on ${pages} ${pages === 1 ? 'page' : 'pages'}.`,
  drafted: 'Saved as a draft. Nothing was posted.',
  draftChanged: 'Draft changed. Nothing was posted.',
  nowIsPostNow: 'Please use post_now to post at once.',
  draftOrContent: 'Please send either a draft or what to post.',
  retried: 'Retrying. Publishing continues in the background. Call get_post for the result.',
  deleted: 'Deleted. It will not be posted.',
  added: (name: string) => `Added ${name} to the library.`,
  fetching: 'Still downloading. Call get_added_media to see when it is in the library.',
} as const

export const assistantMessages = {
  unknownClient: 'Flashsheet does not know this assistant. Please connect it again from where you use it.',
  unknownRedirect: 'This assistant asked to send you to an address it has not registered. Nothing was connected.',
  redirectWrong: 'Redirect addresses must be https, loopback, or use a scheme of your own app, and have no fragment.',
  responseType: 'Only the response type `code` is supported.',
  challengeRequired: 'A code challenge with the method S256 is required.',
  scopeWrong: 'The assistant asked for a permission that does not exist.',
  resourceWrong: 'The assistant asked for access to another service.',
  denied: 'The artist did not give consent.',
  full: 'You have 20 connected assistants. Disconnect one in Settings, under Developers, to connect another.',
  grantWrong: 'This code or token is not valid any more.',
  requestWrong: 'The request could not be read.',
  grantType: 'Only authorization codes and refresh tokens are supported.',
  loadFailed: 'Your assistants could not be loaded',
  readFailed: 'The request of your assistant could not be read',
  approveFailed: 'Failed to connect the assistant',
  connectedTitle: 'An assistant was connected to your account',
  connectedText: (name: string, host: string, may: string) =>
    `It calls itself ${name} and sends you back to ${host}.\nIt may: ${may}.`,
  connectedAction: 'See connected assistants',
  disconnected: 'Assistant disconnected',
  disconnectFailed: 'Failed to disconnect the assistant',
} as const
