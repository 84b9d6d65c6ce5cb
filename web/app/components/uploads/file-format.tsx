import { Fragment } from 'react'
import type { FirstRecord } from '#core/imports/first-records.ts'
import type { UploadView } from '#core/imports/upload-view.ts'
import { delimiterName, delimiterNames, encodingNames, encodings } from '#core/kernel/file-encodings.ts'
import type { EncodingDifference } from '#core/ports/upload-files.ts'
import { Banner } from '../ui/banner.tsx'
import { ExpandableDetails } from '../ui/expandable-details.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { CheckboxField, SelectField } from '../ui/form-fields.tsx'

interface FileFormatProps {
  upload: UploadView
  problem: Refusal | undefined
}

const labels = { encoding: 'Encoding', delimiter: 'Delimiter', lenient: 'Emails and telephones' }
const delimiterLabels = { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', pipe: 'Vertical bar' }

/** A file whose encoding cannot be detected: nothing is imported before the user has chosen one. */
export function ChooseEncoding({ upload, problem }: FileFormatProps) {
  const { doubt, columns, fileName } = upload
  const differences = doubt?.differences ?? []
  const rows = Math.min(3, columns[0]?.samples.length ?? 0)
  const records = Array.from({ length: rows }, (_, row) => ({
    line: null,
    cells: columns.flatMap(({ header, samples }) => (samples[row] ? [{ column: header, value: samples[row] }] : [])),
    problem: null,
  }))
  return (
    <section aria-labelledby="reading" className="card max-w-3xl p-4 lg:p-6">
      <h2 id="reading" className="text-h3">
        How should this file be read?
      </h2>
      <div className="mt-3 mb-4">
        <Banner tone="warning" title={`${fileName} cannot be read as it is`}>
          {`${capitalised(doubt?.problem ?? '')}. Choose the encoding in which the text below is right, and check the file. Nothing has been imported.`}
        </Banner>
      </div>
      {differences.length > 0 ? (
        <EncodingDifferences differences={differences} title="How each encoding reads the file" />
      ) : (
        <FirstRecords records={records} title="Its first records, as they are read now" />
      )}
      <FileFormatForm upload={upload} problem={problem} button="Read the file" />
    </section>
  )
}

/** The first cells that the likely encodings read differently, as each would store them. */
function EncodingDifferences({ differences, title }: { differences: readonly EncodingDifference[]; title: string }) {
  return (
    <div className="mt-4">
      <h3 className="text-table font-semibold">{title}</h3>
      <ol className="mt-2 divide-y divide-line rounded border border-line">
        {differences.map(({ line, column, readings }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two cells of one line may be in the list
          <li key={index} className="px-3 py-2 text-table">
            <p className="text-caption text-muted">
              {`Line ${line}, ${column === null ? 'a column name' : column || 'a column without a name'}`}
            </p>
            <dl className="mt-1 grid gap-y-1 sm:grid-cols-[16rem_1fr] sm:gap-x-4">
              {readings.map(({ encodings: names, value }) => (
                <Fragment key={names[0]}>
                  <dt className="text-muted">{names.map((name) => encodings[name]).join(', ')}</dt>
                  <dd className="min-w-0 wrap-anywhere font-medium">{value}</dd>
                </Fragment>
              ))}
            </dl>
          </li>
        ))}
      </ol>
    </div>
  )
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** In the preview: the detected format, the first records as they will be stored, and a form to change the format. */
export function FileFormat({ upload, problem }: FileFormatProps) {
  const { encoding, delimiter, preview, lenient, assumed } = upload
  return (
    <section aria-labelledby="reading" className="card mt-4 max-w-3xl p-4 lg:p-6">
      <h2 id="reading" className="text-h3">
        How the file was read
      </h2>
      <p className="mt-1 text-body text-ink-2">
        {`${encodings[encoding]}, separated by ${delimiterName(delimiter)}${lenient ? ', invalid emails and telephones skipped' : ''}.`}
      </p>
      {assumed && (
        <>
          <div className="mt-3">
            <Banner title="Check the encoding">
              {`It cannot be detected: ${assumed.problem}. If the text is not right as it is read now, change how the file is read.`}
            </Banner>
          </div>
          <EncodingDifferences differences={assumed.differences ?? []} title="How each encoding reads the file" />
        </>
      )}
      <FirstRecords records={preview?.records ?? []} title="Its first records, as they will be stored" />
      <ExpandableDetails className="mt-4" isOpen={problem !== undefined}>
        <summary className="cursor-pointer text-body font-medium">Change how it is read</summary>
        <FileFormatForm upload={upload} problem={problem} button="Check again" />
      </ExpandableDetails>
    </section>
  )
}

function FileFormatForm({ upload, problem, button }: FileFormatProps & { button: string }) {
  const { encoding, delimiter, lenient, doubt } = upload
  const [bestGuess] = doubt?.likely ?? []
  const form = useForm({
    problem,
    labels,
    identifiedBy: { intent: 'read' },
    values: { encoding: bestGuess ?? encoding, delimiter: delimiterName(delimiter), lenient: String(lenient) },
  })
  return (
    <Form form={form} className="mt-4 space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField name="encoding" options={encodingNames.map((name) => ({ value: name, label: encodings[name] }))} />
        <SelectField
          name="delimiter"
          options={delimiterNames.map((name) => ({ value: name, label: delimiterLabels[name] }))}
        />
      </div>
      <CheckboxField
        name="lenient"
        label="Import rows whose only problem is an invalid email or telephone, without that value"
      />
      <FormButtons>
        <SubmitButton kind={doubt ? 'primary' : 'secondary'}>{button}</SubmitButton>
        {doubt && (
          <SubmitButton intent="cancel" kind="quiet">
            Cancel the upload
          </SubmitButton>
        )}
      </FormButtons>
    </Form>
  )
}

interface ShownRecord extends Omit<FirstRecord, 'line'> {
  line: number | null
}

function FirstRecords({ records, title }: { records: readonly ShownRecord[]; title: string }) {
  if (records.length === 0) return null
  return (
    <div className="mt-4">
      <h3 className="text-table font-semibold">{title}</h3>
      <ol className="mt-2 divide-y divide-line rounded border border-line">
        {records.map(({ line, cells, problem }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record's key is its position in the file
          <li key={index} className="px-3 py-2 text-table">
            {line !== null && <p className="text-caption text-muted">{`Line ${line}`}</p>}
            <dl className="flex flex-wrap gap-x-4 gap-y-1">
              {cells.map(({ column, value }) => (
                <div key={column} className="flex min-w-0 gap-1.5">
                  <dt className="text-muted">{column}</dt>
                  <dd className="min-w-0 wrap-anywhere">{value}</dd>
                </div>
              ))}
            </dl>
            {problem && <p className="mt-1 text-danger">{`Rejected: ${problem}`}</p>}
          </li>
        ))}
      </ol>
    </div>
  )
}
