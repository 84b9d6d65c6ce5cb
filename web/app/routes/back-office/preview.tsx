import { randomUUID } from 'node:crypto'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { useEffect } from 'react'
import { recordPreview } from '#core/first-run/change-first-run.ts'
import { listTestOrders } from '#core/first-run/list-test-orders.query.ts'
import { removeTestOrder } from '#core/first-run/place-test-order.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { termLengths } from '#core/pricing/plan-code.rules.ts'
import { previewStorefront } from '#core/storefronts/get-storefront.query.ts'
import { firstLastDay } from '#core/terms/term.rules.ts'
import { PreviewStrip } from '#web/app/components/first-run/preview-strip.tsx'
import { sampleBuyer } from '#web/app/components/first-run/sample-buyer.ts'
import { TestOrderList, TestOrderPlaced } from '#web/app/components/first-run/test-orders.tsx'
import { deleteOrderDraft } from '#web/app/components/storefront/order-draft.ts'
import { OrderForm } from '#web/app/components/storefront/order-form.tsx'
import type { OrderResponse } from '#web/app/components/storefront/order-response.ts'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { ShopIntroduction } from '#web/app/components/storefront/shop-introduction.tsx'
import { useCountryChange } from '#web/app/components/storefront/use-country-change.ts'
import { formDataOf } from '#web/app/http/form.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { shopVisit } from '#web/app/http/shop-visit.ts'
import { shopOf } from '#web/app/http/storefront-data.ts'
import { handleTestOrderForm } from '#web/app/http/test-order.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: `Preview of ${page?.shop.publicationName ?? 'a storefront'} – Masthead` },
  noIndex,
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'preview')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { isExample, ...storefront } = await previewStorefront(ctx, { publicationId })
  await recordPreview(ctx, { publicationId })
  const { headers, language, dateFormat, offer } = shopVisit(request, context, storefront)
  const { passwordMinLength, timeZone } = ctx.settings
  const today = dayOf(ctx.now(), timeZone)
  const testOrders = await listTestOrders(ctx, { publicationId })
  const query = new URL(request.url).searchParams
  const page = {
    publicationId,
    isExample,
    shop: {
      ...shopOf(storefront),
      hasIssues: false,
      findsAddresses: storefront.findsAddresses && !isExample,
      preview: { orderUrl: `/publications/${publicationId}/preview/order` },
    },
    language,
    dateFormat,
    ...offer,
    timeZone,
    testOrders,
    placedOrder: testOrders.find(({ id }) => String(id) === query.get('ordered')) ?? null,
    formKey: randomUUID(),
    termEnds: Object.fromEntries(termLengths.map((months) => [months, firstLastDay(today, months)])),
    minPasswordLength: passwordMinLength,
  }
  return data(page, { headers })
}

/** For a form posted without JavaScript, and for the buttons that remove a test order. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'preview')
  const publicationId = idParam(params.publicationId, 'The publication')
  const toRemove = (await formDataOf(request.clone())).get('testOrderId')
  if (typeof toRemove === 'string') {
    await removeTestOrder(ctx, { publicationId, testOrderId: toRemove })
    return redirectWithToast(context, `/publications/${publicationId}/preview`, {
      kind: 'success',
      text: 'Test order removed',
    })
  }
  const orderResult = await handleTestOrderForm(ctx, request, publicationId)
  if (orderResult.kind === 'done') return redirect(orderResult.url)
  return data(orderResult, { status: orderResult.kind === 'refused' ? orderResult.status : 200 })
}

export default function Preview() {
  const page = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>() as OrderResponse | undefined
  const showCountry = useCountryChange()
  const {
    publicationId,
    isExample,
    shop,
    placedOrder,
    testOrders,
    timeZone,
    language: _,
    dateFormat: __,
    ...offer
  } = page
  const { urlKey } = shop
  useEffect(() => {
    if (placedOrder) deleteOrderDraft(`${urlKey}/preview`)
  }, [placedOrder, urlKey])
  return (
    <ShopFrame
      shop={shop}
      notice={<PreviewStrip shop={shop} isExample={isExample} />}
      introduction={placedOrder ? undefined : <ShopIntroduction shop={shop} country={offer.country} />}
    >
      {placedOrder ? (
        <TestOrderPlaced order={placedOrder} publicationId={publicationId} publicationName={shop.publicationName} />
      ) : (
        <div id="choose">
          <OrderForm
            shop={shop}
            {...offer}
            plan={undefined}
            buyer={null}
            linked={null}
            refusedLink={null}
            answer={actionData ?? { kind: 'redisplay', values: { ...sampleBuyer } }}
            onCountry={showCountry}
          />
        </div>
      )}
      {!placedOrder && testOrders.length > 0 && (
        <TestOrderList orders={testOrders} publicationId={publicationId} timeZone={timeZone} />
      )}
    </ShopFrame>
  )
}
