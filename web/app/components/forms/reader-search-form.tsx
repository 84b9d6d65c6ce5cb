import { Form, useNavigation } from '@remix-run/react'
import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { Button, LinkButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'

/** The six fields of a reader search, by their names in the address. */
export const searchFields = [
  { name: 'lastName', label: 'Last name' },
  { name: 'email', label: 'Email' },
  { name: 'companyName', label: 'Company' },
  { name: 'fullName', label: 'Full name' },
  { name: 'uniqueReference', label: 'Unique reference' },
  { name: 'postZip', label: 'Postcode' },
] as const

export const emptySearch = 'Fill in at least one field to search.'

interface ReaderSearchFormProps {
  values: Record<string, string>
  /** Shown when a search was submitted with empty fields. */
  problem: string | undefined
}

/** Searches by GET, so that a search can be reloaded, shared and returned to. */
export function ReaderSearchForm({ values, problem: refusal }: ReaderSearchFormProps) {
  const [isBlank, setBlank] = useState(false)
  const problem = isBlank ? emptySearch : refusal
  const isPending = useNavigation().location?.search.includes('search=') ?? false
  return (
    <Form
      method="get"
      preventScrollReset
      role="search"
      aria-label="Search readers"
      onSubmit={(event) => {
        // If all fields are empty, the form is not submitted.
        const typed = new FormData(event.currentTarget)
        const isEmpty = searchFields.every(({ name }) => String(typed.get(name) ?? '').trim() === '')
        if (isEmpty) event.preventDefault()
        setBlank(isEmpty)
      }}
      onInput={() => setBlank(false)}
      className="no-print card mb-5 p-4 lg:p-5"
    >
      <p className="text-table text-muted">
        Fill in at least one field. Each field matches from its start; capitals, accents and punctuation do not matter.
      </p>
      <div className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-3">
        {searchFields.map(({ name, label }) => (
          <Field key={name} label={label} name={name} isUnmarked>
            {(control) => (
              <Input
                {...control}
                name={name}
                key={values[name] ?? ''}
                defaultValue={values[name] ?? ''}
                autoComplete="off"
                maxLength={200}
              />
            )}
          </Field>
        ))}
      </div>
      {problem && (
        <p role="alert" className="mt-3 text-table font-medium text-danger">
          {problem}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          type="submit"
          name="search"
          value="1"
          kind="primary"
          isPending={isPending}
          icon={<Search size={16} aria-hidden="true" />}
        >
          Search
        </Button>
        <LinkButton
          to="?"
          kind="quiet"
          preventScrollReset
          onClick={({ currentTarget }) => {
            // Text that has not been searched for is not in the address, so the link alone would not clear it.
            for (const input of currentTarget.closest('form')?.querySelectorAll('input') ?? []) input.value = ''
            setBlank(false)
          }}
        >
          Clear
        </LinkButton>
      </div>
    </Form>
  )
}
