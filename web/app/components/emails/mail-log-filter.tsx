import { Form, useNavigation, useSearchParams } from '@remix-run/react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { Button } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Field } from '../ui/field.tsx'
import { DateBox, Select } from '../ui/inputs.tsx'

interface MailLogFilterProps {
  values: { mail: string; state: string; from: string; to: string }
  mailKinds: readonly { value: string; label: string }[]
  states: readonly { value: string; label: string }[]
  errors: FieldErrors | undefined
}

const labels = { mail: 'Email', state: 'Status', from: 'From', to: 'To' }
const filterParams = ['mail', 'state', 'from', 'to', 'before', 'after']

/** Filters the mail log by kind of email, state and days; the filter is part of the page's address. */
export function MailLogFilter({ values, mailKinds, states, errors = {} }: MailLogFilterProps) {
  const [params] = useSearchParams()
  const isPending = useNavigation().location?.search.includes('from=') ?? false
  const choices = [
    { name: 'mail', all: 'All emails', options: mailKinds },
    { name: 'state', all: 'All statuses', options: states },
  ] as const
  return (
    <Form
      method="get"
      preventScrollReset
      role="search"
      aria-label="Filter by email, status and date"
      className="no-print card mb-5 p-4"
    >
      {Object.keys(errors).length > 0 && (
        <div className="mb-4">
          <ErrorSummary message="Please fix the errors and retry" fields={errors} labels={labels} />
        </div>
      )}
      {[...params].map(
        ([name, value]) => !filterParams.includes(name) && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 md:flex">
        {choices.map(({ name, all, options }) => (
          <div key={name} className="md:w-52">
            <Field label={labels[name]} name={name} error={errors[name]} isUnmarked>
              {(control) => (
                <Select {...control} name={name} key={values[name]} defaultValue={values[name]}>
                  <option value="">{all}</option>
                  {options.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
        ))}
        {(['from', 'to'] as const).map((name) => (
          <Field key={name} label={labels[name]} name={name} error={errors[name]} isUnmarked>
            {(control) => (
              <DateBox {...control} name={name} key={values[name]} defaultValue={values[name]} maxLength={20} />
            )}
          </Field>
        ))}
        <div className="col-span-2 md:pt-6.5">
          <Button type="submit" isPending={isPending} className="max-md:w-full">
            Show emails
          </Button>
        </div>
      </div>
    </Form>
  )
}
