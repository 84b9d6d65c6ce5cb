import { useEffect, useState } from 'react'
import { encodingNames, encodings } from '#core/mailing/layout.rules.ts'
import { keyLinePlaceholders } from '#core/mailing/layout-columns.rules.ts'
import { LinkButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { Checkbox, Input, Select } from '../ui/inputs.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { LayoutColumnRows } from './layout-column-rows.tsx'
import { formColumns, type LayoutValues, layoutField } from './layout-values.ts'

interface LayoutFormProps {
  values: LayoutValues
  problem: Refusal | undefined
  /** The layout's stored name; empty for a new layout. */
  storedName: string
  /** The version of the stored layout that was edited, to detect concurrent changes. */
  version: string
  listAddress: string
}

const delimiterNames = { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', bar: 'Pipe |' }
const keyLineHint = Object.entries(keyLinePlaceholders)
  .map(([word, hint]) => `{${word}} (${hint})`)
  .join(', ')
const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  keyLine: 'Key line',
  encoding: 'Encoding',
  delimiter: 'Separator',
  quotes: 'Quotes',
  maxWidth: 'Maximum cell length',
  newColumn: 'Columns',
}

/** The form's non-empty values, sorted by name, so that two forms can be compared. */
function sortedEntries(values: LayoutValues): [string, string | undefined][] {
  return Object.entries(values)
    .filter(([name, value]) => name !== 'intent' && name !== 'was' && name !== 'version' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The form of a mailing house's layout. All of its buttons also work without JavaScript. */
export function LayoutForm({ values, problem, storedName, version, listAddress }: LayoutFormProps) {
  const [typed, setTyped] = useState(values)
  const [lastValues, setLastValues] = useState(values)
  // The values that the form was opened with: a preview or a refusal returns the typed values, which are not saved.
  const [stored] = useState(values)
  const isDirty = JSON.stringify(sortedEntries(typed)) !== JSON.stringify(sortedEntries(stored))
  const [submitted, setSubmitted] = useState(values)
  // After a preview or a refusal the server returns the submitted values; they must not replace what has been typed since.
  if (lastValues !== values) {
    setLastValues(values)
    if (typed === submitted) setTyped(values)
  }
  const form = useForm({
    problem,
    labels: { ...labels, ...headerLabels(typed) },
    fieldOf: layoutField,
    hidden: { was: storedName, version },
    failure: 'Layout not saved',
    isRestorable: true,
    isChanged: isDirty,
    onRestore: setTyped,
  })
  // A column that is moved or removed changes fields without an input event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked again with each change
  useEffect(() => form.onInput(), [typed])
  const textProps = (name: string) => ({
    name,
    value: typed[name] ?? '',
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  })
  const checkboxProps = (name: string) => ({
    name,
    checked: typed[name] === 'on',
    onChange: (event: { target: { checked: boolean } }) =>
      setTyped({ ...typed, [name]: event.target.checked ? 'on' : '' }),
  })
  return (
    <Form
      form={form}
      onSubmit={() => setSubmitted(typed)}
      preventScrollReset
      className="card max-w-3xl space-y-5 p-4 lg:p-6"
    >
      <UnsavedGuard includesQuery text="Your changes to this layout have not been saved." />
      {/* Enter in a text field must press this button, not the first arrow button. */}
      <button type="submit" name="intent" value="save" className="sr-only" tabIndex={-1} aria-hidden="true">
        Save
      </button>
      <Field name="name" isRequired hint="For example, the name of the mailing house.">
        {(control) => (
          <Input {...control} {...textProps('name')} maxLength={60} autoComplete="off" className="max-w-96" />
        )}
      </Field>
      <Checkbox {...checkboxProps('isShared')} label="For all my publications" />
      <LayoutColumnRows values={typed} onChange={setTyped} />
      <Field name="keyLine" hint={`The content of the column KeyLine. Placeholders: ${keyLineHint}.`}>
        {(control) => <Input {...control} {...textProps('keyLine')} maxLength={100} spellCheck={false} />}
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field name="encoding">
          {(control) => (
            <Select {...control} {...textProps('encoding')}>
              {encodings.map((encoding) => (
                <option key={encoding} value={encoding}>
                  {encodingNames[encoding]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field name="delimiter">
          {(control) => (
            <Select {...control} {...textProps('delimiter')}>
              {Object.entries(delimiterNames).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field name="quotes">
          {(control) => (
            <Select {...control} {...textProps('quotes')}>
              <option value="needed">Where they are needed</option>
              <option value="all">Around every cell</option>
            </Select>
          )}
        </Field>
        <Field name="maxWidth" hint="10 to 200 characters; longer names and addresses are cut off.">
          {(control) => (
            <Input {...control} {...textProps('maxWidth')} inputMode="numeric" maxLength={10} className="max-w-28" />
          )}
        </Field>
      </div>
      <div className="space-y-2">
        <Checkbox {...checkboxProps('namesColumns')} label="The first line names the columns" />
        <Checkbox {...checkboxProps('isTownUpper')} label="Towns in capitals" />
        <Checkbox {...checkboxProps('isSplit')} label="A file for each zone" />
      </div>
      <FormButtons>
        <SubmitButton intent="save">{storedName ? 'Update layout' : 'Add layout'}</SubmitButton>
        <SubmitButton intent="preview" kind="secondary">
          Preview
        </SubmitButton>
        <LinkButton to={listAddress} kind="quiet">
          Cancel
        </LinkButton>
      </FormButtons>
    </Form>
  )
}

function headerLabels(values: LayoutValues): Record<string, string> {
  return Object.fromEntries(formColumns(values).map(({ column }, index) => [`header.${index}`, column]))
}
