import { Form, useNavigation, useSearchParams } from '@remix-run/react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { Button } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Field } from '../ui/field.tsx'
import { DateBox, Select } from '../ui/inputs.tsx'

interface ActivityFilterFormProps {
  values: { action: string; from: string; to: string }
  actions: readonly { value: string; label: string }[]
  errors: FieldErrors | undefined
}

const filterParams = ['action', 'from', 'to', 'page']

/** Filters the activity log by action and days; the filter is part of the page's address. */
export function ActivityFilterForm({ values, actions, errors = {} }: ActivityFilterFormProps) {
  const [params] = useSearchParams()
  const isPending = useNavigation().location?.search.includes('from=') ?? false
  return (
    <Form
      method="get"
      preventScrollReset
      role="search"
      aria-label="Filter by action and date"
      className="no-print card mb-5 p-4"
    >
      {Object.keys(errors).length > 0 && (
        <div className="mb-4">
          <ErrorSummary
            message="Please fix the errors and retry"
            fields={errors}
            labels={{ action: 'Action', from: 'From', to: 'To' }}
          />
        </div>
      )}
      {[...params].map(
        ([name, value]) => !filterParams.includes(name) && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 md:flex">
        <div className="col-span-2 md:w-72">
          <Field label="Action" name="action" error={errors.action} isUnmarked>
            {(control) => (
              <Select {...control} name="action" key={values.action} defaultValue={values.action}>
                <option value="">All actions</option>
                {actions.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        {(['from', 'to'] as const).map((name) => (
          <Field key={name} label={name === 'from' ? 'From' : 'To'} name={name} error={errors[name]} isUnmarked>
            {(control) => (
              <DateBox {...control} name={name} key={values[name]} defaultValue={values[name]} maxLength={20} />
            )}
          </Field>
        ))}
        <div className="col-span-2 md:pt-6.5">
          <Button type="submit" isPending={isPending} className="max-md:w-full">
            Show events
          </Button>
        </div>
      </div>
    </Form>
  )
}
