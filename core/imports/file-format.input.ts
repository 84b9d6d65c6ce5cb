import { z } from 'zod'
import { AppError } from '../kernel/errors.ts'
import {
  type DelimiterName,
  delimiterNames,
  delimiters,
  encodingNames,
  encodingOf,
  shortEncodingName,
} from '../kernel/file-encodings.ts'
import type { EncodingDoubt, InspectedFile } from '../ports/upload-files.ts'

/** How to read a file, as fields of forms, API calls and commands. What is not set is detected. */
export const fileFormatFields = {
  encoding: z
    .string()
    .trim()
    .optional()
    .transform((name, context) => {
      if (!name) return undefined
      const encoding = encodingOf(name)
      if (encoding !== null) return encoding
      context.addIssue({ code: 'custom', message: `Must be one of ${encodingNames.join(', ')}` })
      return z.NEVER
    }),
  delimiter: z
    .string()
    .optional()
    .transform((text, context) => {
      if (!text) return undefined
      const name = text === ' ' ? text : text.trim().toLowerCase() || 'tab'
      const named = delimiterNames.find((candidate) => candidate === name || delimiters[candidate] === text)
      if (named !== undefined) return delimiters[named as DelimiterName]
      context.addIssue({ code: 'custom', message: `Must be one of ${delimiterNames.join(', ')}` })
      return z.NEVER
    }),
  /** A row whose only problem is its email or telephone is imported, with that cell skipped. */
  lenient: z.preprocess((value) => value === true || value === 'true' || value === 'on', z.boolean()).default(false),
}

/** "line 812, LastName: Windows-1250 “Kovář”, ISO-8859-15 “Kováø”", for each cell that the likely encodings read differently. */
export function differenceTexts({ differences = [] }: EncodingDoubt): string[] {
  return differences.map(({ line, column, readings }) => {
    const place = column === null ? 'a column name' : column || 'a column without a name'
    const texts = readings.map(({ encodings, value }) => `${encodings.map(shortEncodingName).join(' and ')} “${value}”`)
    return `line ${line}, ${place}: ${texts.join(', ')}`
  })
}

/** Refuses a file whose encoding cannot be detected; `option` is what sets it, such as `--encoding `. */
export function requireKnownEncoding(file: InspectedFile, fileName: string, option: string): void {
  if (file.doubt === null) return
  const { problem, likely } = file.doubt
  const differences = differenceTexts(file.doubt)
  const message = `"${fileName}" cannot be read as it is: ${[problem, ...differences].join('; ')}`
  throw new AppError('invalid', message, {
    fields: { file: message },
    hint: `Specify its encoding: ${likely
      .slice(0, 3)
      .map((encoding) => `${option}${encoding}`)
      .join(', ')}.`,
  })
}
