import { mediaLimits } from './limits.ts'

export const mediaMessages = {
  videoType: 'Please select a valid video file (MP4 or MOV)',
  videoSize: 'Video size must be less than 300MB',
  videoDuration: 'Video duration must be less than 3 minutes',
  videoUnreadable: 'Error validating video duration',
  imageType: 'Please select a valid image file (JPG or PNG)',
  imageSize: 'Image size must be less than 20MB',
  imageUnreadable: 'This picture could not be read. Please try another file.',
  imagePixels: 'This picture has too many pixels (at most 120 million). Please make it smaller.',
  unsupported: 'Unsupported file type',
  emptyPick: 'Failed to upload file',
  uploadFailed: 'Failed to upload files',
  uploadFailedShort: 'Upload failed',
  libraryFull: 'Your media library is full (100 items). Delete something to make room.',
  tooManyUnfinished: `${mediaLimits.unfinishedUploads} of your files are still on their way. Let one of them arrive first, or cancel one.`,
  hint: 'JPG and PNG max 20MB, MP4 and MOV max 300MB and max 3 minutes.',
  deleted: (n: number) => `${n} item(s) successfully deleted.`,
  posterUnreadable: 'The poster picture could not be read.',
  posterSize: 'The poster picture must be at most 1MB.',
  posterForVideo: 'Only a video has a poster picture.',
  cropOutside: 'A crop has to lie within its picture.',
  cannotConvert:
    'This video could not be converted without re-encoding it. Please upload it as an MP4 with H.264 and AAC.',
  busy: 'Many files are being looked at just now. Please try again in a moment.',
  notMade: 'This file could not be prepared just now. Please try again in a moment.',
  inUse: 'Some of these items are used by posts that have not gone out yet.',
  emptyTitle: 'No Media Found',
  emptyText: 'Upload files to get started.',
  /** Undefined: not known yet. */
  libraryTitle: (n: number | undefined) => `Your Media Library (${n ?? '…'}/${mediaLimits.libraryItems})`,
  roomFor: (n: number) =>
    `Your media library has room for ${n} more ${n === 1 ? 'item' : 'items'}. The rest was not taken.`,
  deleteFailed: 'The items could not be deleted.',
  loadFailed: 'Your media library could not be loaded.',
} as const
