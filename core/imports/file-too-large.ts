import { AppError } from '../kernel/errors.ts'

/** The refusal of a file over the limit, before or while it is read. */
export function fileTooLarge(maxBytes: number): AppError {
  const message = `The file is larger than ${sizeText(maxBytes)}`
  return new AppError('tooLarge', message, {
    fields: { file: message },
    hint: 'Split it into several files and upload them one after the other.',
  })
}

/** 2147483648 is "2 GB". */
export function sizeText(bytes: number): string {
  const units = [
    ['GB', 1024 ** 3],
    ['MB', 1024 ** 2],
    ['kB', 1024],
  ] as const
  const [unit, size] = units.find(([, each]) => bytes >= each) ?? ['bytes', 1]
  return `${Number((bytes / size).toFixed(1))} ${unit}`
}
