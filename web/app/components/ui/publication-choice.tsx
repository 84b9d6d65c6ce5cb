import { Form, useSubmit } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useSelectValue } from './use-select-value.ts'

interface PublicationChoiceProps {
  publications: readonly { id: number; publicationName: string }[]
  /** Null for all publications, if `all` gives that option a label. */
  chosen: number | null
  all?: string
  /** Other parameters to keep, as hidden fields. */
  children?: ReactNode
}

/** A select for the publication of a page. With JavaScript it navigates on change, without it by a button; the path is unchanged. */
export function PublicationChoice({ publications, chosen, all, children }: PublicationChoiceProps) {
  const submit = useSubmit()
  const select = useSelectValue(chosen ?? '')
  return (
    <Form
      method="get"
      preventScrollReset
      onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
      className="flex items-center gap-2"
    >
      {children}
      <label htmlFor="publication" className="text-table text-ink-2">
        Publication
      </label>
      <select
        id="publication"
        name="publication"
        ref={select}
        defaultValue={chosen ?? ''}
        className="h-10 max-w-60 rounded-input border border-control bg-surface px-2 text-body hover:border-ink-2"
      >
        {all && <option value="">{all}</option>}
        {publications.map(({ id, publicationName }) => (
          <option key={id} value={id}>
            {publicationName}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit" className="h-10 rounded-input border border-control px-3">
          Show
        </button>
      </noscript>
    </Form>
  )
}
