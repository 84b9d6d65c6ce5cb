import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState } from 'react'
import { columnField, mappingProblems, readerHeaders } from '#core/imports/guess-mapping.rules.ts'
import type { ImportMode } from '#core/imports/import-modes.rules.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { Banner } from '../ui/banner.tsx'
import { IconButton } from '../ui/button.tsx'
import { FieldError, fieldId } from '../ui/field.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { Select } from '../ui/inputs.tsx'

interface MapColumnsProps {
  columns: readonly { header: string; importAs: string; samples: string[] }[]
  mappedBy: 'template' | 'kept' | 'guess' | null
  mode: ImportMode
  problem: Refusal | undefined
}

const notes = {
  template: 'The columns have the names of the template.',
  kept: 'These are the columns you chose for a similar file last time.',
  guess: 'The columns have been matched by their names and values. Check them before you continue.',
}

const emailLike = /^\s*[^\s@]+@[^\s@]+\.[^\s@]{2,}\s*$/

/** Step 2: the field each column of the file is imported as, next to sample values. */
export function MapColumns({ columns, mappedBy, mode, problem }: MapColumnsProps) {
  const [mapping, setMapping] = useState(
    columns.map(({ importAs }, index) => problem?.values?.[columnField(index)] ?? importAs),
  )
  const [row, setRow] = useState(0)
  const header = columns.map((column) => column.header)
  const form = useForm({
    problem,
    labels: Object.fromEntries(header.map((name, index) => [columnField(index), columnName(name, index)])),
  })
  // Two columns for the same field are reported immediately; other errors on submit.
  const { form: _, ...duplicateErrors } = mappingProblems(header, mapping, mode)
  const errors: FieldErrors = { ...form.errors, ...duplicateErrors }
  const rows = columns[0]?.samples.length ?? 0
  return (
    <Form form={form} className="card max-w-4xl p-4 lg:p-6">
      <h2 className="text-h3 [[role=alert]~&]:mt-5">Match the columns</h2>
      <div className="mt-1 mb-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-body text-ink-2">{notes[mappedBy ?? 'guess']}</p>
        {rows > 1 && <RowChoice row={row} rows={rows} onChange={setRow} />}
      </div>
      {header.some((name) => emailLike.test(name)) && (
        <div className="mb-4">
          <Banner tone="warning" title="The first line seems to be a reader, not the names of the columns">
            It would not be imported. Put a line with the names above it, as in the template, and upload the file again.
          </Banner>
        </div>
      )}
      <div
        aria-hidden="true"
        className="hidden grid-cols-3 gap-4 border-b border-line pb-2 text-caption font-semibold text-ink-2 sm:grid"
      >
        <span>Column in the file</span>
        <span>Value</span>
        <span>Import as</span>
      </div>
      <ul className="divide-y divide-line">
        {columns.map(({ header: name, samples }, index) => {
          const field = columnField(index)
          const error = errors[field]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column's key is its position, because names may repeat
            <li key={index} className="grid items-center gap-x-4 gap-y-1 py-2.5 sm:grid-cols-3">
              <label htmlFor={fieldId(field)} className="min-w-0 text-body font-medium wrap-anywhere">
                {columnName(name, index)}
              </label>
              <p className="min-w-0 text-table wrap-anywhere text-ink-2">
                <span className="sr-only">{`Value in row ${row + 1}: `}</span>
                <span className={samples[row] ? '' : 'text-muted'}>{samples[row] || '-'}</span>
              </p>
              <div className="min-w-0">
                <Select
                  id={fieldId(field)}
                  name={field}
                  value={mapping[index]}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? `${fieldId(field)}-error` : undefined}
                  onChange={({ target: { value } }) =>
                    setMapping(mapping.map((current, position) => (position === index ? value : current)))
                  }
                >
                  <option value="">Not imported</option>
                  {readerHeaders.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </Select>
                {error && <FieldError id={`${fieldId(field)}-error`}>{error}</FieldError>}
              </div>
            </li>
          )
        })}
      </ul>
      <FormButtons className="mt-5">
        <SubmitButton intent="map">Check the file</SubmitButton>
        <SubmitButton intent="cancel" kind="quiet">
          Cancel the upload
        </SubmitButton>
      </FormButtons>
    </Form>
  )
}

function columnName(name: string, index: number): string {
  return name.trim() === '' ? `Column ${index + 1} (no name)` : name
}

function RowChoice({ row, rows, onChange }: { row: number; rows: number; onChange: (row: number) => void }) {
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label="Previous row"
        size="small"
        icon={<ChevronLeft size={18} aria-hidden="true" />}
        isDisabled={row === 0}
        onClick={() => onChange(row - 1)}
      />
      <p role="status" className="numeric min-w-28 text-center text-table text-ink-2">
        {`Sample row ${row + 1} of ${rows}`}
      </p>
      <IconButton
        label="Next row"
        size="small"
        icon={<ChevronRight size={18} aria-hidden="true" />}
        isDisabled={row >= rows - 1}
        onClick={() => onChange(row + 1)}
      />
    </div>
  )
}
