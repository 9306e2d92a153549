/** The instructions that an assistant gets before its first call. */
export const assistantInstructions = `Flashsheet posts a tattoo artist’s pictures and videos to Facebook, Instagram, TikTok, YouTube and LinkedIn, and holds their library, website and appointments.

Prepare posts by create_draft. Post or schedule only what the artist asked for, in the words they agreed to. Begin with list_accounts (where to post) and list_media (what to post). Times are instants with a zone, such as 2026-05-04T15:00:00-04:00. A post goes out by itself after its call was answered: get_post tells what became of it on each page.`

export const toolMessages = {
  unknownTool: (name: string) => `There is no tool ${name}.`,
  unknownField: (name: string) => `There is no field ${name}.`,
  oneAtATime: 'Please send one message at a time.',
  postOnly: 'Assistants send POST requests here.',
  requestIdRequired: 'Please give this request an id of your own, such as a UUID.',
  sent: (pages: number) =>
    `Sent to ${pages} ${pages === 1 ? 'page' : 'pages'}. It goes on by itself: get_post tells what became of it.`,
  scheduled: (at: string, pages: number) => `Scheduled for ${at} on ${pages} ${pages === 1 ? 'page' : 'pages'}.`,
  drafted: 'Kept as a draft. Nothing is posted.',
  draftChanged: 'Changed the draft. Nothing is posted.',
  nowIsPostNow: 'Please use post_now to post at once.',
  draftOrContent: 'Please send either a draft or what to post.',
  retried: 'Tried again. It goes on by itself: get_post tells what became of it.',
  deleted: 'Deleted: it never goes out.',
  added: (name: string) => `Added ${name} to the library.`,
  fetching: 'Still on its way: get_added_media tells when it is in the library.',
} as const

export const assistantMessages = {
  unknownClient: 'Flashsheet does not know this assistant. Please connect it again from where you use it.',
  unknownRedirect: 'This assistant asks to be led somewhere it has not named. Nothing was connected.',
  redirectWrong:
    'Please name https addresses, addresses of this machine, or addresses of an app of your own, without a fragment.',
  responseType: 'Only the response type `code` is answered.',
  challengeRequired: 'A code challenge with the method S256 is required.',
  scopeWrong: 'It asks for a permission that there is not.',
  resourceWrong: 'It asks for access to another place.',
  denied: 'The artist did not agree.',
  full: 'You have 20 connected assistants. Disconnect one in Settings, under Developers, to connect another.',
  grantWrong: 'This code or token is not valid any more.',
  requestWrong: 'The request could not be read.',
  grantType: 'Only authorization codes and refresh tokens are answered.',
  loadFailed: 'Your assistants could not be loaded',
  readFailed: 'The request of your assistant could not be read',
  approveFailed: 'Failed to connect the assistant',
  connectedTitle: 'An assistant was connected to your account',
  connectedText: (name: string, host: string, may: string) =>
    `It calls itself ${name} and leads back to ${host}.\nIt may: ${may}.`,
  connectedAction: 'See connected assistants',
  disconnected: 'Assistant disconnected',
  disconnectFailed: 'Failed to disconnect the assistant',
} as const
