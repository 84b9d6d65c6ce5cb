import { renewingText } from '../renewals/renewing-text.ts'
import { ConfirmPanel } from '../ui/confirm-panel.tsx'

/** Question and consequences of removing a publication. */
export function RemovalText({ renewing }: { renewing: number }) {
  const renewals = renewingText(renewing, 'it is removed')
  return (
    <>
      <p className="font-medium text-ink">Are you sure you want to remove this Publication?</p>
      <p className="mt-2">
        Its storefront closes at once and nobody can subscribe there from then on. Readers, orders and the handle are
        kept, and you can restore it as long as your plan has room for it.
      </p>
      {renewals && <p className="mt-2">{renewals}</p>}
    </>
  )
}

/** The confirmation question on the page itself, for browsers without JavaScript. */
export function RemovalPanel({
  publication: { id, publicationName, renewing },
}: {
  publication: { id: number; publicationName: string; renewing: number }
}) {
  return (
    <ConfirmPanel
      title={`Remove '${publicationName}'?`}
      confirmLabel="Remove publication"
      action="/publications"
      id={id}
      intent="remove"
      cancelTo="/publications"
    >
      <RemovalText renewing={renewing} />
    </ConfirmPanel>
  )
}
