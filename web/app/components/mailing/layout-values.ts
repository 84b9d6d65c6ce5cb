import type { MailingLayout } from '#core/mailing/layout.rules.ts'

/** The fields of the layout form as text by name: `column.0`, `header.0`, `column.1` and so on, and all other fields. */
export type LayoutValues = Record<string, string>

/** A column in the form. */
export interface FormColumn {
  column: string
  header: string
}

const checkboxFields = ['namesColumns', 'isTownUpper', 'isSplit'] as const

/** The form's fields for a layout. */
export function layoutValues(name: string, isShared: boolean, layout: MailingLayout): LayoutValues {
  const { columns, maxWidth, delimiter, encoding, quotes, keyLine } = layout
  return {
    name,
    ...(isShared ? { isShared: 'on' } : {}),
    ...withColumns(columns.map(({ column, header }) => ({ column, header: header === column ? '' : header }))),
    ...Object.fromEntries(checkboxFields.filter((field) => layout[field]).map((field) => [field, 'on'])),
    delimiter,
    encoding,
    quotes,
    keyLine,
    maxWidth: maxWidth === null ? '' : String(maxWidth),
  }
}

/** The columns of the form in their order. */
export function formColumns(values: LayoutValues): FormColumn[] {
  const columns: FormColumn[] = []
  for (let index = 0; values[`column.${index}`] !== undefined; index++)
    columns.push({ column: values[`column.${index}`] ?? '', header: values[`header.${index}`] ?? '' })
  return columns
}

/** The form's layout as input for the use cases. */
export function formLayout(values: LayoutValues): Record<string, unknown> {
  const { delimiter, encoding, quotes, keyLine, maxWidth } = values
  return {
    columns: formColumns(values),
    ...Object.fromEntries(checkboxFields.map((field) => [field, values[field] === 'on'])),
    delimiter,
    encoding,
    quotes,
    keyLine,
    maxWidth,
  }
}

/** Applies a button of the column list: `up.2`, `down.2`, `drop.2`, or `add` for the column chosen below it. */
export function withIntentApplied(values: LayoutValues, intent: string): LayoutValues {
  const columns = formColumns(values)
  const [action, position] = intent.split('.')
  const index = Number(position)
  if (action === 'add' && values.newColumn) columns.push({ column: values.newColumn, header: '' })
  const [moved] = action === 'up' || action === 'down' || action === 'drop' ? columns.splice(index, 1) : []
  if (moved && action !== 'drop') columns.splice(Math.max(0, action === 'up' ? index - 1 : index + 1), 0, moved)
  const otherValues = Object.entries(values).filter(([name]) => !/^(column|header)\.\d+$|^newColumn$/.test(name))
  return { ...Object.fromEntries(otherValues), ...withColumns(columns) }
}

export function isColumnIntent(intent: string | undefined): intent is string {
  return /^(up\.\d+|down\.\d+|drop\.\d+|add)$/.test(intent ?? '')
}

/** Maps a field of the use case to the field of this form that shows its message. */
export function layoutField(name: string): string {
  return name
    .replace(/^layout\./, '')
    .replace(/^columns\.(\d+)\.(column|header)$/, 'header.$1')
    .replace(/^columns$/, 'newColumn')
}

function withColumns(columns: readonly FormColumn[]): LayoutValues {
  return Object.fromEntries(
    columns.flatMap(({ column, header }, index) => [
      [`column.${index}`, column],
      [`header.${index}`, header],
    ]),
  )
}
