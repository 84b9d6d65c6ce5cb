import { Form } from '@remix-run/react'
import { Button, LinkButton } from '../ui/button.tsx'

/** The given question, and what it means. */
export const removalText = (
  <>
    <p className="font-medium text-ink">Are you sure you want to remove this Publication?</p>
    <p className="mt-2">
      Its storefront closes at once and nobody can subscribe there any more. Readers, orders and the handle are kept,
      and you can bring it back as long as you have a title left.
    </p>
  </>
)

/** The same question as a part of the page, for who came by the address: without scripts there is no window. */
export function RemovalPanel({
  publication: { id, publicationName },
}: {
  publication: { id: number; publicationName: string }
}) {
  return (
    <section aria-labelledby="removal" className="card mb-5 max-w-2xl border-danger p-5">
      <h2 id="removal" className="text-h3">{`Remove '${publicationName}'?`}</h2>
      <div className="mt-2 text-body text-ink-2">{removalText}</div>
      <Form method="post" action="/publications" className="mt-5 flex flex-wrap gap-3">
        <input type="hidden" name="id" value={id} />
        <LinkButton to="/publications">Cancel</LinkButton>
        <Button type="submit" kind="danger" name="intent" value="remove">
          Remove publication
        </Button>
      </Form>
    </section>
  )
}
