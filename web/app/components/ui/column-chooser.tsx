import { Form, Link, useSearchParams } from '@remix-run/react'
import { Button } from './button.tsx'
import { withParams } from './link-params.ts'

interface ColumnChooserProps {
  columns: readonly { name: string; title: string }[]
  /** The visible columns. */
  shown: readonly string[]
}

/** Chooses the columns of a list; remembered in a cookie, and works without JavaScript. */
export function ColumnChooser({ columns, shown }: ColumnChooserProps) {
  const [params] = useSearchParams()
  return (
    <details className="no-print mt-3 open:w-full max-md:hidden">
      <summary className="link inline-block cursor-pointer text-table">Columns</summary>
      <Form method="get" key={shown.join()} className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-2 text-table">
        {[...params].map(([name, value]) => (
          <input key={`${name}${value}`} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="columns" value="chosen" />
        {columns.map(({ name, title }) => (
          <label key={name} className="inline-flex min-h-8 items-center gap-2">
            <input type="checkbox" name="column" value={name} defaultChecked={shown.includes(name)} />
            {title}
          </label>
        ))}
        <Button type="submit">Show these</Button>
        <Link to={withParams(params, { columns: 'all' })} preventScrollReset className="link">
          Show all
        </Link>
      </Form>
    </details>
  )
}
