import { useEffect, useState } from 'react'
import { alertCheckboxName } from '../../http/transfer-form.ts'
import { Fieldset } from '../ui/field.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { CheckboxField, PasswordField, SelectField, TextareaField, TextField } from '../ui/form-fields.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'

const labels = {
  name: 'Name',
  host: 'Server',
  port: 'Port',
  login: 'User name',
  password: 'Password',
  privateKey: 'Private key',
  passphrase: 'Key passphrase',
  folder: 'Folder',
  filePattern: 'Files',
  url: 'Address',
  headerName: 'Header',
  headerValue: 'Header value',
  importMode: 'What to do with the readers',
  maxRemovedPercent: 'Maximum share that may be removed (%)',
  layout: 'Layout',
  runAt: 'Time of day',
  alertUsers: 'Email when a run fails',
}

interface TransferFormProps {
  kind: 'import' | 'mailing-file'
  protocol: 'sftp' | 'https'
  /** Undefined for a new transfer. The version is the one of the last load. */
  transfer?: Partial<Record<keyof typeof labels | 'lenient' | 'isOn', unknown>> & {
    alertUsers: number[]
    hasSecret: boolean
    version: string
  }
  people: { id: number; name: string; email: string }[]
  layouts: string[]
  timeZone: string
  problem: Refusal | undefined
  onDirty?: (isDirty: boolean) => void
}

const keepsStoredText = 'Leave blank to keep the stored value, which is never shown.'

/** The server, schedule and alert recipients of a transfer. */
export function TransferForm(props: TransferFormProps) {
  const { kind, protocol, transfer, people, layouts, timeZone, problem, onDirty } = props
  const text = (name: keyof typeof labels, defaultValue: string) => String(transfer?.[name] ?? defaultValue)
  const layout = text('layout', '')
  // A removed layout stays in the select: otherwise the select would show the standard layout, and the next save would store that.
  const isRemoved = layout !== '' && !layouts.includes(layout)
  const alertUserIds = transfer?.alertUsers ?? people.slice(0, 1).map(({ id }) => id)
  // The version that the fields show: one that is loaded later must not count as seen, unless a conflict has reported it.
  const [opened, setOpened] = useState(transfer?.version)
  const refused = problem?.values?.intent === 'change' ? problem : undefined
  const version = refused?.keepsKeys === false ? transfer?.version : (refused?.values?.version ?? opened)
  const form = useForm({
    problem,
    identifiedBy: { intent: transfer ? 'change' : 'add' },
    labels,
    hidden: transfer ? { version: version ?? '' } : { kind, protocol },
    values: {
      name: text('name', ''),
      host: text('host', ''),
      port: text('port', '22'),
      login: text('login', ''),
      folder: text('folder', ''),
      filePattern: text('filePattern', '*.csv'),
      url: text('url', ''),
      headerName: text('headerName', ''),
      importMode: text('importMode', 'combine'),
      maxRemovedPercent: text('maxRemovedPercent', '10'),
      layout,
      runAt: text('runAt', '02:30'),
      lenient: String(transfer?.lenient ?? false),
      isOn: String(transfer?.isOn ?? true),
      ...Object.fromEntries(people.map(({ id }) => [alertCheckboxName(id), String(alertUserIds.includes(id))])),
    },
    failure: transfer ? 'Transfer not changed' : 'Transfer not added',
    isRestorable: true,
  })
  const { isDirty, acceptedCount } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields show the stored values again after each accepted save
  useEffect(() => setOpened(transfer?.version), [acceptedCount])
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  const secretHint = transfer?.hasSecret ? keepsStoredText : 'Stored encrypted and never shown.'
  return (
    <Form form={form} className="space-y-4">
      <UnsavedGuard includesQuery text="Your changes to this transfer have not been saved." />
      <TextField name="name" isRequired maxLength={60} hint="For example, “Readers from the CRM”." />
      {protocol === 'sftp' ? (
        <>
          <TextField name="host" isRequired maxLength={255} hint="For example, sftp.example.com" />
          <TextField name="port" isRequired inputMode="numeric" maxLength={5} />
          <TextField name="login" isRequired maxLength={100} />
          <PasswordField name="password" isRequired={false} maxLength={500} hint={secretHint} autoComplete="off" />
          <TextareaField name="privateKey" maxLength={20_000} hint={`In place of a password. ${secretHint}`} />
          <PasswordField name="passphrase" isRequired={false} maxLength={500} autoComplete="off" />
          <TextField name="folder" maxLength={500} hint="Leave blank for the folder that the server opens at log-in." />
        </>
      ) : (
        <>
          <TextField name="url" isRequired inputMode="url" maxLength={500} hint="Must begin with https://" />
          <TextField name="headerName" maxLength={100} hint="For example, Authorization, if the server requires one." />
          <PasswordField name="headerValue" isRequired={false} maxLength={4000} hint={secretHint} autoComplete="off" />
        </>
      )}
      {kind === 'import' ? (
        <>
          {protocol === 'sftp' && (
            <TextField
              name="filePattern"
              isRequired
              maxLength={100}
              hint="* stands for any number of characters, ? for a single one."
            />
          )}
          <SelectField
            name="importMode"
            options={[
              { value: 'combine', label: 'Add and combine: update existing readers, add the others' },
              { value: 'add', label: 'Add new readers only' },
              { value: 'replace', label: 'Replace all readers' },
            ]}
          />
          <TextField
            name="maxRemovedPercent"
            isRequired
            inputMode="numeric"
            maxLength={3}
            hint="A file that would remove a larger share of the readers is not imported. Applies only when readers are replaced."
          />
          <CheckboxField
            name="lenient"
            label="Import rows whose only problem is an invalid email or telephone, without that value"
          />
        </>
      ) : (
        <SelectField
          name="layout"
          options={[
            ...layouts.map((name, index) => ({ value: index === 0 ? '' : name, label: name })),
            ...(isRemoved ? [{ value: layout, label: `${layout} (removed)` }] : []),
          ]}
        />
      )}
      <TextField name="runAt" isRequired maxLength={5} hint={`For example, 02:30, ${timeZone} time.`} />
      <CheckboxField name="isOn" label="Run each day at this time" />
      <Fieldset legend={labels.alertUsers} name="alertUsers" isRequired>
        {people.map(({ id, name, email }) => (
          <CheckboxField
            key={id}
            name={alertCheckboxName(id)}
            label={
              <>
                {name} <span className="text-table wrap-anywhere text-ink-2">{email}</span>
              </>
            }
          />
        ))}
      </Fieldset>
      <FormButtons>
        <SubmitButton>{transfer ? 'Save' : 'Add transfer'}</SubmitButton>
      </FormButtons>
    </Form>
  )
}
