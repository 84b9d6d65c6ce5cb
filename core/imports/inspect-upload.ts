import { AppError, isAppError } from '../kernel/errors.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import { type FileFormat, inspectFile } from './load/inspect-file.ts'

/** Inspects an uploaded file; problems mention the file's own name, not the one it is stored under. */
export async function inspectUpload(path: string, fileName: string, reading: FileFormat = {}): Promise<InspectedFile> {
  try {
    return await inspectFile(path, reading)
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'invalid') throw error
    throw aboutFile(error.message.replaceAll(path, fileName), error.hint)
  }
}

/** The error for a refused file, shown at the form's file field. */
export function aboutFile(message: string, hint: string | undefined): AppError {
  return new AppError('invalid', message, { fields: { file: message }, ...(hint ? { hint } : {}) })
}
