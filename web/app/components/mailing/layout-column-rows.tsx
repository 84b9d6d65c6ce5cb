import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { layoutColumns } from '#core/mailing/layout-columns.rules.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Field, FieldError, fieldId } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { Input, Select } from '../ui/inputs.tsx'
import { formColumns, type LayoutValues, withIntentApplied } from './layout-values.ts'

interface ColumnRowsProps {
  values: LayoutValues
  onChange: (values: LayoutValues) => void
}

const hints = new Map<string, string>(layoutColumns.map(({ key, hint }) => [key, hint]))

/** The columns in the order of the file: each can be renamed, moved and removed by buttons, which also work without JavaScript. */
export function LayoutColumnRows({ values, onChange }: ColumnRowsProps) {
  const { errors } = useFormState()
  const columns = formColumns(values)
  const list = useRef<HTMLOListElement>(null)
  const focusAt = useRef<{ index: number; action: string } | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const applyButton = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault()
    const intent = event.currentTarget.value
    const [action = '', position] = intent.split('.')
    const index = Number(position)
    const name = action === 'add' ? (values.newColumn ?? '') : (columns[index]?.column ?? '')
    if (action === 'add') setAnnouncement(name ? `${name} added as the last column` : 'Choose a column first')
    else if (action === 'drop') setAnnouncement(`${name} removed`)
    else setAnnouncement(`${name} is column ${action === 'up' ? index : index + 2} of ${columns.length}`)
    focusAt.current =
      action === 'add' ? null : { index: action === 'up' ? index - 1 : action === 'down' ? index + 1 : index, action }
    onChange(withIntentApplied(values, intent))
  }
  // The focus follows the moved row.
  useEffect(() => {
    const target = focusAt.current
    if (!target) return
    focusAt.current = null
    const row = list.current?.children[Math.min(target.index, columns.length - 1)]
    row?.querySelector<HTMLButtonElement>(`button[value^="${target.action}."]`)?.focus()
  })
  return (
    <fieldset>
      <legend className="text-body font-medium text-ink-2">Columns, in the order of the file</legend>
      <p className="mt-0.5 text-table text-muted">
        The name of a column in the first line. Leave blank to keep the usual one.
      </p>
      <ol ref={list} className="mt-2 divide-y divide-line rounded-card border border-line">
        {columns.map(({ column, header }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns may repeat, and their fields are named by position
          <li key={index} className="flex flex-wrap items-center gap-x-2 gap-y-1.5 px-3 py-2 sm:gap-x-3">
            <span className="min-w-0 grow basis-full sm:basis-40">
              <span className="text-body font-medium">{column}</span>
              {hints.get(column) && <span className="block text-table text-muted">{hints.get(column)}</span>}
            </span>
            <input type="hidden" name={`column.${index}`} value={column} />
            <span className="w-32 shrink-0 sm:w-44">
              <Input
                id={fieldId(`header.${index}`)}
                name={`header.${index}`}
                aria-label={`What the file calls ${column}`}
                aria-invalid={errors[`header.${index}`] ? true : undefined}
                aria-describedby={errors[`header.${index}`] ? `${fieldId(`header.${index}`)}-error` : undefined}
                placeholder={column}
                maxLength={100}
                value={header}
                onChange={(event) => onChange({ ...values, [`header.${index}`]: event.target.value })}
              />
              {errors[`header.${index}`] && (
                <FieldError id={`${fieldId(`header.${index}`)}-error`}>{errors[`header.${index}`]}</FieldError>
              )}
            </span>
            <span className="flex shrink-0 gap-1">
              <IconButton
                type="submit"
                name="intent"
                value={`up.${index}`}
                label={`Move ${column} up`}
                isDisabled={index === 0}
                icon={<ArrowUp size={18} aria-hidden="true" />}
                onClick={applyButton}
              />
              <IconButton
                type="submit"
                name="intent"
                value={`down.${index}`}
                label={`Move ${column} down`}
                isDisabled={index === columns.length - 1}
                icon={<ArrowDown size={18} aria-hidden="true" />}
                onClick={applyButton}
              />
              <IconButton
                type="submit"
                name="intent"
                value={`drop.${index}`}
                label={`Remove ${column}`}
                icon={<X size={18} aria-hidden="true" />}
                onClick={applyButton}
              />
            </span>
          </li>
        ))}
        {columns.length === 0 && <li className="px-3 py-3 text-body text-muted">No columns yet.</li>}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <div className="min-w-0 grow sm:max-w-72">
          <Field label="Another column" name="newColumn">
            {(control) => (
              <Select
                {...control}
                name="newColumn"
                value={values.newColumn ?? ''}
                onChange={(event) => onChange({ ...values, newColumn: event.target.value })}
              >
                <option value="">Choose…</option>
                {layoutColumns.map(({ key }) => (
                  <option key={key}>{key}</option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Button type="submit" name="intent" value="add" onClick={applyButton}>
          Add column
        </Button>
      </div>
    </fieldset>
  )
}
