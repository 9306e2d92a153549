import { GraphError } from '../meta/graph.ts'

/** Content errors (docs/networks/instagram.md): subcode, code, message, title, user message. */
const table = `
2207001 | -1 | Instagram server error | Server error | Instagram server error. Try again. | transient
2207003 | -2 | Timeout downloading media | Timeout | It takes too long to download the media. | transient
2207004 | 36000 | The image size is too large | Image size too large | The image is too large to download. It should be less than 8 MiB.
2207005 | 36001 | The image format is not supported | Unsupported format | The image format is not supported. Only JPEG is.
2207006 | 24 | The requested resource does not exist | Media not found | Possible permission error due to missing permission or expired token.
2207008 | 24 | The requested resource does not exist | Media builder not found | The media builder with this creation id does not exist or has expired. | transient
2207009 | 36003 | The aspect ratio is not supported | Aspect ratio | The submitted image with this aspect ratio cannot be published. It must be within the range of 4:5 to 1.91:1.
2207010 | 36004 | The caption was too long | Caption too long | The submitted caption was too long. It can have up to 2200 characters.
2207020 | -2 | The media you are trying to access has expired | Media expired | The media has expired. Make a new one.
2207023 | 100 | Invalid parameter | Unknown media type | The media type is unknown.
2207026 | 352 | The video format is not supported | Unsupported format | The video format is not supported. Please check the specs for supported formats.
2207027 | 9007 | Media ID is not available | Cannot publish | The media is not ready to be published. Please wait a moment.
2207028 | 100 | Invalid parameter | Carousel validation failed | Carousels need to have between 2 and 10 photos or videos.
2207032 | -1 | Create media fail | Create media fail | Create media fail, please try to re-create media. | transient
2207040 | 100 | Invalid parameter | Too many tags | Cannot use more than 30 hashtags or 20 mentions in one caption.
2207042 | 9 | Application request limit reached | Limit reached | You reached the maximum number of posts that is allowed to be published by the Content Publishing API.
2207052 | 9004 | Only photo or video can be accepted as media type. | Media download has failed. The media URI doesn't meet our requirements. | The media could not be fetched from this URI.
2207053 | -1 | Unknown upload error | Upload error | An unknown error occurred during upload. | transient
2207057 | 1 | Invalid thumbnail offset | Thumbnail offset | Thumbnail offset must be at least 0 and less than the video duration.
2207077 | 9004 | Video download failed | Video download failed | The video could not be downloaded from its address.`

type Refusal = { code: number; message: string; userTitle: string; userMessage: string; transient: boolean }

const refusals = new Map<number, Refusal>(
  table
    .trim()
    .split('\n')
    .map((row) => {
      const [subcode, code, message = '', userTitle = '', userMessage = '', transient] = row.split(' | ')
      return [
        Number(subcode),
        { code: Number(code), message, userTitle, userMessage, transient: transient !== undefined },
      ]
    }),
)

/** The refusal with this subcode; `detail` is appended to the user message. */
export function refusal(subcode: number, detail = ''): GraphError {
  const { code, userMessage, ...rest } = refusals.get(subcode) ?? refusals.get(2207001)!
  return new GraphError(code, {
    ...rest,
    subcode,
    userMessage: detail === '' ? userMessage : `${userMessage} ${detail}`,
  })
}

/** The `status` text of a container; it contains the subcode of an error. */
export function statusText(code: string, failure: number): string {
  if (code === 'IN_PROGRESS') return 'In Progress: Media is still being processed.'
  if (code === 'FINISHED') return 'Finished: Media has been uploaded and it is ready to be published.'
  if (code === 'PUBLISHED') return 'Published: Media has been successfully published.'
  if (code === 'EXPIRED') return 'Expired: The media container was not published within 24 hours.'
  return `Error: Media upload has failed with error code ${failure}. ${refusals.get(failure)?.userMessage ?? ''}`.trim()
}
