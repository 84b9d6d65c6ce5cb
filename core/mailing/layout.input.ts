import { z } from 'zod'
import { CheckboxInput, lineText, optionalWholeNumber, requiredText } from '../kernel/form-fields.ts'
import { defaultKeyLine, delimiters, encodings, standardName } from './layout.rules.ts'
import { keyLinePlaceholders, layoutColumnKeys } from './layout-columns.rules.ts'

const placeholders = Object.keys(keyLinePlaceholders)
const maxColumns = 60

/** A key line as it is typed; blank is the default one. */
export const KeyLine = z
  .string()
  .trim()
  .max(100, 'Must be 100 characters or fewer')
  .transform((text) => text || defaultKeyLine)
  .superRefine((text, context) => {
    const unknown = [...text.matchAll(/\{([^}]*)\}/g)]
      .map(([, word]) => word ?? '')
      .filter((word) => !placeholders.includes(word))
    if (unknown.length > 0)
      context.addIssue({
        code: 'custom',
        message: `Unknown placeholder {${unknown[0]}}: use ${placeholders.map((word) => `{${word}}`).join(', ')}`,
      })
  })

export const LayoutInput = z.object({
  columns: z
    .array(
      z.object({
        column: z.enum(layoutColumnKeys, 'Choose a column from the list'),
        header: lineText(100).default(''),
      }),
    )
    .min(1, 'Choose at least one column')
    .max(maxColumns, `At most ${maxColumns} columns`)
    .transform((columns) => columns.map(({ column, header }) => ({ column, header: header || column }))),
  delimiter: z
    .enum(Object.keys(delimiters) as [keyof typeof delimiters], 'Choose comma, semicolon, tab or bar')
    .default('comma'),
  encoding: z.enum(encodings, 'Choose utf-8-bom, utf-8 or windows-1252').default('utf-8-bom'),
  namesColumns: CheckboxInput.default(true),
  quotes: z.enum(['needed', 'all'], 'Choose needed or all').default('needed'),
  isTownUpper: CheckboxInput.default(false),
  isSplit: CheckboxInput.default(false),
  keyLine: KeyLine.prefault(''),
  maxWidth: optionalWholeNumber(10, 200),
})

export const LayoutName = requiredText(60).refine(
  (name) => name.toLowerCase() !== standardName.toLowerCase(),
  `${standardName} is the built-in layout: choose another name`,
)
