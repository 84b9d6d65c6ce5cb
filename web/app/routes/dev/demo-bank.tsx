import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import { formatMoney } from '#core/kernel/money.ts'
import { answerDemoBank } from '#core/orders/answer-demo-bank.ts'
import { demoBankQuestion } from '#core/orders/demo-bank.query.ts'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button } from '#web/app/components/ui/button.tsx'
import { readForm } from '#web/app/http/form.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { visitorContext } from '#web/app/http/session.ts'

export const meta: MetaFunction = () => [{ title: 'Demo bank – Masthead' }, noIndex]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const orderParams = readOrderParams(request)
  const question = await demoBankQuestion(visitorContext(context), orderParams)
  const search = new URLSearchParams(orderParams)
  return { ...question, successUrl: `/ordersuccess?${search}`, cancelUrl: `/ordercancel?${search}` }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const orderParams = readOrderParams(request)
  const { answer } = await readForm(request)
  await answerDemoBank(visitorContext(context), { ...orderParams, answer })
  return redirect(`/ordersuccess?${new URLSearchParams(orderParams)}`)
}

function readOrderParams(request: Request): { orderNumber: string; key: string } {
  const params = new URL(request.url).searchParams
  return { orderNumber: params.get('orderNumber') ?? '', key: params.get('key') ?? '' }
}

/** The page that the demo card with authentication redirects to, instead of a bank's. */
export default function DemoBank() {
  const { isOpen, orderNumber, productName, money, successUrl, cancelUrl } = useLoaderData<typeof loader>()
  const isPending = useNavigation().state !== 'idle'
  return (
    <PublicFrame>
      <div className="mx-auto max-w-xl py-10">
        <h1 className="text-h2">Demo bank</h1>
        <div className="mt-4">
          <Banner tone="info" title="Demo payments">
            No money is taken. This page stands in for the one on which a bank asks you to confirm a payment.
          </Banner>
        </div>
        <section className="card mt-6 p-5 sm:p-6">
          <p className="text-body text-ink-2">
            Order {orderNumber}: {productName}
          </p>
          <p className="numeric mt-1 text-h2">
            {formatMoney(money)} {money.currency}
          </p>
          {isOpen ? (
            <Form method="post" className="mt-6 flex flex-wrap gap-3">
              <Button type="submit" kind="primary" size="large" name="answer" value="approve" isPending={isPending}>
                Approve
              </Button>
              <Button type="submit" size="large" name="answer" value="refuse" isPending={isPending}>
                Refuse
              </Button>
            </Form>
          ) : (
            <p className="mt-6">
              This payment was already approved, refused or cancelled.{' '}
              <a href={successUrl} className="link">
                See your order
              </a>
            </p>
          )}
        </section>
        {isOpen && (
          <p className="mt-4">
            <a href={cancelUrl} className="link">
              Go back without a decision
            </a>
          </p>
        )}
      </div>
    </PublicFrame>
  )
}
