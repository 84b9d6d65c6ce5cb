import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getOwnReceipt } from '#core/buyers/get-own-receipt.query.ts'
import { getOwnInvoiceDocuments } from '#core/emails/invoice-documents.query.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { InvoiceDocument } from '#web/app/components/buyer/invoice-document.tsx'
import { ReceiptCard } from '#web/app/components/buyer/receipt-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { PrintButton } from '#web/app/components/ui/print-button.tsx'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Receipt', 'order')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, shop, language, dateFormat, headers } = await requireAccount(request, context, params.urlKey)
  const { orderNumber } = params
  const [receipt, documents] = await Promise.all([
    getOwnReceipt(ctx, { orderNumber }),
    getOwnInvoiceDocuments(ctx, { orderNumber, language }),
  ])
  return data({ shop, language, dateFormat, receipt, documents }, { headers })
}

/** The receipt of an order; for one on account its invoice and credit notes. */
export default function Receipt() {
  const t = useT()
  const { shop, receipt, documents } = useLoaderData<typeof loader>()
  if (documents.length > 0) {
    return (
      <BuyerPage shop={shop} heading={t('Invoice')} isPart>
        <div className="space-y-4">
          {documents.map((document) => (
            <InvoiceDocument key={document.number} document={document} />
          ))}
        </div>
        <p className="no-print mt-8">
          <PrintButton label={t('Print this page')} size="large" />
        </p>
      </BuyerPage>
    )
  }
  return (
    <BuyerPage shop={shop} heading={t('Receipt')} isPart>
      <ReceiptCard receipt={receipt} shop={shop} />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage what="order" />
}
