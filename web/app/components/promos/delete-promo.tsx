import { countOf } from '#core/kernel/text-format.ts'
import { ConfirmPanel } from '../ui/confirm-panel.tsx'
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
      Are you sure you want to delete this Promo Code? It stops working at once, even for buyers who have its link.
      {orders} This cannot be undone.
    </p>
  )
}

/** The confirmation dialog for deleting a code. */
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

/** The confirmation question on the page itself, for browsers without JavaScript. */
export function DeletePromoConfirmation({ promo }: DeletePromoProps) {
  return (
    <ConfirmPanel
      title={questionOf(promo)}
      confirmLabel={confirmLabel}
      action="?"
      id={promo.id}
      intent="delete"
      cancelTo="?"
    >
      <Consequences promo={promo} />
    </ConfirmPanel>
  )
}
