import { Form } from '@remix-run/react'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/formats.tsx'

interface Removed {
  id: number
  publicationName: string
  urlKey: string
  removedAt: Date
}

/** Removed publications, which can be restored while the plan has room for another title. */
export function RemovedPublications({ removed, timeZone }: { removed: readonly Removed[]; timeZone: string }) {
  return (
    <section aria-labelledby="removed" className="mt-8 max-w-3xl">
      <h2 id="removed" className="text-h3">
        Removed publications
      </h2>
      <p className="mt-1 text-body text-ink-2">
        Their storefronts are closed; readers and orders are kept. A restored publication counts towards the titles of
        your plan.
      </p>
      <ul className="mt-3 divide-y divide-line card">
        {removed.map(({ id, publicationName, urlKey, removedAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <div className="min-w-0 text-body">
              <p className="font-medium wrap-anywhere">{publicationName}</p>
              <p className="text-table wrap-anywhere text-muted">
                {`/${urlKey}, removed `}
                <Moment at={removedAt} timeZone={timeZone} />
              </p>
            </div>
            <Form method="post" action="/publications">
              <input type="hidden" name="id" value={id} />
              <Button type="submit" name="intent" value="restore" size="small">
                Restore<span className="sr-only">{` ${publicationName}`}</span>
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  )
}
