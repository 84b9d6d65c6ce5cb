import { AppError, conflict } from '../kernel/errors.ts'
import { countOf } from '../kernel/text-format.ts'
import { sizeText } from './file-too-large.ts'

const hint = 'Confirm or cancel a waiting upload, then upload this file again.'

/** The refusal of a file while too many others of the publisher wait. */
export function tooManyWaiting(maxFiles: number): AppError {
  const message = `A publisher may have only ${countOf(maxFiles, 'file')} waiting to be imported`
  return conflict(message, { fields: { file: message }, hint })
}

/** The refusal of a file that would be too large together with the others that wait. */
export function waitingUploadsTooLarge(maxBytes: number): AppError {
  const message = `A publisher’s files waiting to be imported may take up ${sizeText(maxBytes)} in total`
  return conflict(message, { fields: { file: message }, hint })
}

/** The refusal of a file that the disk has no room for. */
export function diskIsFull(cause?: unknown): AppError {
  const message = 'The server’s disk is full: the file could not be stored'
  return new AppError('unavailable', message, {
    fields: { file: message },
    hint: 'Nothing was changed. Contact the operator of this installation, and try again later.',
    cause,
  })
}
