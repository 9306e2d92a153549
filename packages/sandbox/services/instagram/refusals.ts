import { GraphError } from '../meta/graph.ts'

type Refusal = { code: number; message: string; title: string; userMessage: string; transient?: boolean }

/** Content errors by subcode (docs/networks/instagram.md). */
const refusals: Record<number, Refusal> = {
  2207001: {
    code: -1,
    message: 'Instagram server error',
    title: 'Server error',
    userMessage: 'Instagram server error. Try again.',
    transient: true,
  },
  2207003: {
    code: -2,
    message: 'Timeout downloading media',
    title: 'Timeout',
    userMessage: 'It takes too long to download the media.',
    transient: true,
  },
  2207004: {
    code: 36000,
    message: 'The image size is too large',
    title: 'Image size too large',
    userMessage: 'The image is too large to download. It should be less than 8 MiB.',
  },
  2207005: {
    code: 36001,
    message: 'The image format is not supported',
    title: 'Unsupported format',
    userMessage: 'The image format is not supported. Only JPEG is.',
  },
  2207006: {
    code: 24,
    message: 'The requested resource does not exist',
    title: 'Media not found',
    userMessage: 'Possible permission error due to missing permission or expired token.',
  },
  2207008: {
    code: 24,
    message: 'The requested resource does not exist',
    title: 'Media builder not found',
    userMessage: 'The media builder with this creation id does not exist or has expired.',
    transient: true,
  },
  2207009: {
    code: 36003,
    message: 'The aspect ratio is not supported',
    title: 'Aspect ratio',
    userMessage:
      'The submitted image with this aspect ratio cannot be published. It must be within the range of 4:5 to 1.91:1.',
  },
  2207010: {
    code: 36004,
    message: 'The caption was too long',
    title: 'Caption too long',
    userMessage: 'The submitted caption was too long. It can have up to 2200 characters.',
  },
  2207020: {
    code: -2,
    message: 'The media you are trying to access has expired',
    title: 'Media expired',
    userMessage: 'The media has expired. Make a new one.',
  },
  2207023: {
    code: 100,
    message: 'Invalid parameter',
    title: 'Unknown media type',
    userMessage: 'The media type is unknown.',
  },
  2207026: {
    code: 352,
    message: 'The video format is not supported',
    title: 'Unsupported format',
    userMessage: 'The video format is not supported. Please check the specs for supported formats.',
  },
  2207027: {
    code: 9007,
    message: 'Media ID is not available',
    title: 'Cannot publish',
    userMessage: 'The media is not ready to be published. Please wait a moment.',
  },
  2207028: {
    code: 100,
    message: 'Invalid parameter',
    title: 'Carousel validation failed',
    userMessage: 'Carousels need to have between 2 and 10 photos or videos.',
  },
  2207032: {
    code: -1,
    message: 'Create media fail',
    title: 'Create media fail',
    userMessage: 'Create media fail, please try to re-create media.',
    transient: true,
  },
  2207040: {
    code: 100,
    message: 'Invalid parameter',
    title: 'Too many tags',
    userMessage: 'Cannot use more than 30 hashtags or 20 mentions in one caption.',
  },
  2207042: {
    code: 9,
    message: 'Application request limit reached',
    title: 'Limit reached',
    userMessage:
      'You reached the maximum number of posts that is allowed to be published by the Content Publishing API.',
  },
  2207052: {
    code: 9004,
    message: 'Only photo or video can be accepted as media type.',
    title: "Media download has failed. The media URI doesn't meet our requirements.",
    userMessage: 'The media could not be fetched from this URI.',
  },
  2207053: {
    code: -1,
    message: 'Unknown upload error',
    title: 'Upload error',
    userMessage: 'An unknown error occurred during upload.',
    transient: true,
  },
  2207057: {
    code: 1,
    message: 'Invalid thumbnail offset',
    title: 'Thumbnail offset',
    userMessage: 'Thumbnail offset must be at least 0 and less than the video duration.',
  },
  2207077: {
    code: 9004,
    message: 'Video download failed',
    title: 'Video download failed',
    userMessage: 'The video could not be downloaded from its address.',
  },
}

/** The refusal with this subcode; `detail` is appended to the user message. */
export function refusal(subcode: number, detail = ''): GraphError {
  const known = refusals[subcode] ?? refusals[2207001]!
  return new GraphError(known.code, {
    message: known.message,
    subcode,
    transient: known.transient ?? false,
    userTitle: known.title,
    userMessage: detail === '' ? known.userMessage : `${known.userMessage} ${detail}`,
  })
}

/** The `status` text of a container; it contains the subcode of an error. */
export function statusText(code: string, failure: number): string {
  if (code === 'IN_PROGRESS') return 'In Progress: Media is still being processed.'
  if (code === 'FINISHED') return 'Finished: Media has been uploaded and it is ready to be published.'
  if (code === 'PUBLISHED') return 'Published: Media has been successfully published.'
  if (code === 'EXPIRED') return 'Expired: The media container was not published within 24 hours.'
  return `Error: Media upload has failed with error code ${failure}. ${refusals[failure]?.userMessage ?? ''}`.trim()
}
