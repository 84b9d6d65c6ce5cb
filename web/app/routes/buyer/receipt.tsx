import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getOwnReceipt } from '#core/buyers/get-own-receipt.query.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { ReceiptCard } from '#web/app/components/buyer/receipt-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { enterAccount } from '#web/app/http/enter-shop.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Receipt')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, shop, language, dayForm, headers } = await enterAccount(request, context, params.urlKey)
  return data(
    { shop, language, dayForm, receipt: await getOwnReceipt(ctx, { orderNumber: params.orderNumber }) },
    { headers },
  )
}

export default function Receipt() {
  const t = useT()
  const { shop, receipt } = useLoaderData<typeof loader>()
  return (
    <BuyerPage shop={shop} heading={t('Receipt')} isPart>
      <ReceiptCard receipt={receipt} shop={shop} />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage what="order" />
}
