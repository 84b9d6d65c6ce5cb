import { Form } from '@remix-run/react'
import { countOf } from '#core/kernel/words.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'

interface DeletePromoProps {
  promo: { id: number; code: string; used: number }
}

const confirmLabel = 'Delete Promo Code'

function questionOf({ code }: DeletePromoProps['promo']): string {
  return `Delete the promo code “${code}”?`
}

function Consequences({ promo: { used } }: DeletePromoProps) {
  const orders = used === 0 ? '' : ` Past orders keep it: it was used ${countOf(used, 'time')}.`
  return (
    <p>
      Are you sure you want to delete this Promo Code? It stops working at once, also for those who have its link.
      {orders} This cannot be undone.
    </p>
  )
}

/** Asks in a window before a code is deleted. */
export function DeletePromoDialog({
  promo,
  isPending,
  onConfirm,
  onCancel,
}: DeletePromoProps & { isPending: boolean; onConfirm: () => void; onCancel: () => void }) {
  return (
    <ConfirmDialog
      title={questionOf(promo)}
      text={<Consequences promo={promo} />}
      confirmLabel={confirmLabel}
      isOpen
      isDangerous
      isPending={isPending}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  )
}

/** The same question on the page itself, where no script runs. */
export function DeletePromoQuestion({ promo }: DeletePromoProps) {
  return (
    <section aria-labelledby="delete-promo" className="card mb-5 max-w-2xl border-danger p-4 lg:p-5">
      <h2 id="delete-promo" className="text-h3">
        {questionOf(promo)}
      </h2>
      <div className="mt-2 text-body text-ink-2">
        <Consequences promo={promo} />
      </div>
      <Form method="post" action="?" className="mt-4 flex flex-wrap gap-3">
        <input type="hidden" name="id" value={promo.id} />
        <LinkButton to="?">Cancel</LinkButton>
        <Button type="submit" name="intent" value="delete" kind="danger">
          {confirmLabel}
        </Button>
      </Form>
    </section>
  )
}
