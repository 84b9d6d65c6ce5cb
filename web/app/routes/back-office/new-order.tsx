import { randomUUID } from 'node:crypto'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, Form as PlainForm, useActionData, useLoaderData } from '@remix-run/react'
import type { AppContext } from '#core/context.ts'
import { countryName } from '#core/kernel/countries.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { notFound } from '#core/kernel/errors.ts'
import { formatMinorUnits, formatMoney } from '#core/kernel/money.ts'
import { maxSearchLength } from '#core/kernel/paging.ts'
import { readerCredits } from '#core/orders/credits.query.ts'
import {
  type StaffPaymentMethod,
  staffPaymentMethodNames,
  type TermStart,
} from '#core/orders/staff-payment-methods.rules.ts'
import { type PlannedOrder, planStaffOrder, takeStaffOrder } from '#core/orders/take-staff-order.ts'
import { planName } from '#core/pricing/plan-code.rules.ts'
import { plansFor } from '#core/pricing/price-table.rules.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { searchReaders } from '#core/readers/search-readers.query.ts'
import { getStorefront } from '#core/storefronts/get-storefront.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import { ledgerCrumbs } from '#web/app/components/layout/ledger-crumbs.ts'
import { orderNotPlacedText, StaffOrderForm } from '#web/app/components/orders/staff-order-form.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button, LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { Input, Select } from '#web/app/components/ui/inputs.tsx'
import { UnsavedGuard } from '#web/app/components/ui/unsaved-guard.tsx'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { orderInput } from '#web/app/http/order-form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle = ledgerCrumbs('Enter an order')

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Enter an order – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'newOrder')
  const { searchParams } = new URL(request.url)
  const publications = (await listPublications(ctx, {})).filter(({ isOnSale }) => isOnSale)
  const requestedId = Number(searchParams.get('publication'))
  const publication = publications.find(({ id }) => id === requestedId) ?? publications[0]
  if (searchParams.has('publication') && requestedId !== publication?.id) throw notFound('The publication')
  const shared = { publications: publications.map(({ id, publicationName }) => ({ id, publicationName })) }
  if (!publication) return { ...shared, chosen: null, isRefused: false }
  const storefront = await getStorefront(ctx, { urlKey: publication.urlKey, includeClosed: true })
  const reader = await readerValues(ctx, publication.id, searchParams.get('reader'))
  const country =
    validCountry(searchParams.get('country')) ||
    validCountry(reader?.country) ||
    validCountry(storefront.publisher.country) ||
    'GB'
  const q = searchParams.get('q')?.trim() ?? ''
  // A search that is too long is reported by its box.
  const isSearched = q !== '' && q.length <= maxSearchLength
  const matches = isSearched ? await searchReaders(ctx, { publicationId: publication.id, q }) : null
  return {
    ...shared,
    chosen: {
      id: publication.id,
      country,
      countryName: countryName(country),
      reader,
      q,
      matches: matches && {
        total: matches.total,
        rows: matches.rows.map(({ id, fullName, email, postCode, uniqueReference }) => ({
          id,
          name: fullName || uniqueReference,
          detail: [email, postCode].filter(Boolean).join(', '),
        })),
      },
      questions: storefront.questions,
      // A recurring plan needs a card or a direct debit, which staff cannot enter here.
      plans: plansFor(storefront, country)
        .filter(({ isRecurring }) => !isRecurring)
        .map((plan) => ({
          code: plan.code,
          label: `${planName(plan)}${plan.isFree ? '' : `: ${formatMoney({ amount: plan.price, currency: plan.currency })}`}`,
        })),
      key: randomUUID(),
      // Named by the server, because browsers may use other names.
      countries: countryChoices,
      // Without a chosen reader, the credit is known once the order is checked.
      credit: reader ? (await readerCredits(ctx, { readerId: reader.id })).left : null,
    },
    isRefused: wasRefused(context),
  }
}

function validCountry(code: string | null | undefined): string {
  return countryChoices.find((country) => country.code === code?.toUpperCase())?.code ?? ''
}

/** Initial values of the form from a reader's record. */
async function readerValues(ctx: AppContext, publicationId: number, id: string | null) {
  if (!id) return null
  const reader = await getReader(ctx, { id: idParam(id, 'The reader') })
  if (reader.publicationId !== publicationId) throw notFound('The reader')
  const { title, firstName, lastName, email, telephone } = reader
  return {
    id: reader.id,
    name: reader.fullName || reader.uniqueReference,
    country: reader.country,
    values: {
      title,
      firstName,
      lastName,
      email,
      mobile: telephone,
      'billing.companyName': reader.companyName,
      'billing.addressOne': reader.addressOne,
      'billing.addressTwo': reader.addressTwo,
      'billing.addressThree': [reader.addressThree, reader.addressFour].filter(Boolean).join(', '),
      'billing.city': reader.city,
      'billing.state': reader.state,
      'billing.postCode': reader.postCode,
      ...Object.fromEntries(reader.answers.map(({ letter, answer }) => [`answers.${letter}`, answer])),
    },
  }
}

/** An order that was checked and waits for confirmation, with its amounts. */
interface OrderPreview extends PlannedOrder {
  paymentMethod: StaffPaymentMethod
  begins: TermStart
  values: Record<string, string>
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'newOrder')
  const values = await readForm(request)
  // Returns from the confirmation to the form, with its values.
  if (values.intent === 'change') return { values }
  const { publicationId, readerId, startOn, method, begins, channel, note, vatNumber, sendsReceipt } = values
  const input = {
    ...orderInput('', values),
    publicationId,
    startOn,
    method,
    begins,
    channel,
    note,
    vatNumber,
    sendsReceipt,
    ...(readerId ? { readerId } : {}),
  }
  return submit(context, values, async () => {
    if (values.intent !== 'take') {
      const planned = await planStaffOrder(ctx, input)
      const preview: OrderPreview = {
        ...planned,
        paymentMethod: method as StaffPaymentMethod,
        begins: begins as TermStart,
        values,
      }
      return { preview }
    }
    const { orderId, orderNumber, productName } = await takeStaffOrder(ctx, input)
    const text = `Order ${orderNumber} placed: ${productName}`
    return redirectWithToast(context, `/orderDetails/${orderId}`, { kind: 'success', text })
  })
}

export default function NewOrder() {
  const loaded = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const preview = actionData && 'preview' in actionData ? actionData.preview : undefined
  const returnedValues = actionData && 'values' in actionData ? actionData.values : undefined
  const problem = problemOf(actionData)
  const { chosen, publications } = loaded
  return (
    <>
      <PageHeader
        title="Enter an order"
        note="For orders by phone and post, at the storefront’s prices."
        actions={<LinkButton to="/payments">Back to Sales Ledger</LinkButton>}
      />
      {!chosen ? (
        <EmptyState title="Nothing is on sale yet" action={<LinkButton to="/publications">Publications</LinkButton>}>
          Set the prices of a publication first: orders by phone use them too.
        </EmptyState>
      ) : preview ? (
        <Confirmation preview={preview} />
      ) : (
        <>
          <Choice chosen={chosen} publications={publications} />
          {chosen.plans.length === 0 ? (
            <Banner tone="warning" title={`Nothing is on sale in ${chosen.countryName}`}>
              Choose another country, or set the publication’s prices for its region.
            </Banner>
          ) : (
            <StaffOrderForm
              key={`${chosen.id} ${chosen.country} ${chosen.reader?.id ?? ''}`}
              plans={chosen.plans}
              questions={chosen.questions}
              country={chosen.country}
              credit={chosen.credit}
              hidden={{
                intent: 'check',
                publicationId: String(chosen.id),
                country: chosen.country,
                readerId: chosen.reader ? String(chosen.reader.id) : '',
              }}
              // After a return from the confirmation, or a refusal, it is still the same order.
              idempotencyKey={(returnedValues ?? problem?.values)?.idempotencyKey || chosen.key}
              freshFormUrl={`?publication=${chosen.id}&country=${chosen.country}`}
              values={{
                plan: chosen.plans[0]?.code ?? '',
                method: 'cheque',
                begins: 'now',
                channel: 'phone',
                sendsReceipt: 'true',
                isDeliveredToBilling: 'true',
                ...chosen.reader?.values,
                ...returnedValues,
              }}
              hasTypedValues={actionData !== undefined}
              problem={problem}
            />
          )}
        </>
      )}
    </>
  )
}

type Chosen = NonNullable<Awaited<ReturnType<typeof loader>>['chosen']>

/** Publication, country and reader are in the address: they determine what can be ordered. */
function Choice({
  chosen,
  publications,
}: {
  chosen: Chosen
  publications: readonly { id: number; publicationName: string }[]
}) {
  const { id, country, countries, reader, q, matches } = chosen
  const addressFor = (readerId: number | null) =>
    `?publication=${id}${readerId === null ? `&country=${country}` : `&reader=${readerId}`}`
  return (
    <Section title="Who the order is for">
      <PlainForm method="get" className="flex flex-wrap items-end gap-3">
        <Labelled name="publication" label="Publication">
          <Select id="order-publication" name="publication" defaultValue={id} key={id}>
            {publications.map((publication) => (
              <option key={publication.id} value={publication.id}>
                {publication.publicationName}
              </option>
            ))}
          </Select>
        </Labelled>
        <Labelled name="country" label="Country">
          <Select id="order-country" name="country" defaultValue={country} key={country}>
            {countries.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        </Labelled>
        <Labelled name="q" label="Find a reader">
          <Input
            id="order-q"
            name="q"
            defaultValue={q}
            placeholder="Name, email, postcode"
            maxLength={maxSearchLength}
          />
        </Labelled>
        <Button type="submit">Show</Button>
      </PlainForm>
      {reader && (
        <p className="mt-4 text-body">
          For{' '}
          <Link to={`/editreader/${reader.id}`} className="link">
            {reader.name}
          </Link>
          .{' '}
          <Link to={addressFor(null)} className="link">
            Enter a new reader instead
          </Link>
        </p>
      )}
      {matches && (
        <div className="mt-4 text-body">
          {matches.rows.length === 0 ? (
            <p>No reader matches “{q}”. Enter a new one below.</p>
          ) : (
            <ul className="space-y-1">
              {matches.rows.map((match) => (
                <li key={match.id}>
                  <Link to={addressFor(match.id)} className="link">
                    {match.name}
                  </Link>
                  {match.detail && <span className="text-muted">, {match.detail}</span>}
                </li>
              ))}
            </ul>
          )}
          {matches.total > matches.rows.length && (
            <p className="mt-2 text-muted">More readers match. Refine your search.</p>
          )}
        </div>
      )}
    </Section>
  )
}

function Labelled({ name, label, children }: { name: string; label: string; children: React.ReactNode }) {
  return (
    <div className="max-w-full">
      <label htmlFor={`order-${name}`} className="mb-1 block text-table">
        {label}
      </label>
      {children}
    </div>
  )
}

function Confirmation({ preview }: { preview: OrderPreview }) {
  const { paymentMethod, begins, values, currency, amount, discount, price, promoCode } = preview
  const money = (minor: number) => formatMoney({ amount: minor, currency })
  // The intent is left out, because the buttons send it: after a new log-in these values fill the order form, whose intent is `check`.
  const { intent: _, ...typed } = values
  const form = useForm({
    problem: undefined,
    hidden: { ...typed, ...(paymentMethod === 'free' ? {} : { currency, total: formatMinorUnits(amount) }) },
    isRepeatable: true,
    isRestorable: true,
    isChanged: true,
  })
  const isFree = paymentMethod === 'free' || amount === 0
  const name = [values.title, values.firstName, values.lastName].filter(Boolean).join(' ')
  return (
    <Section title="Check the order">
      <dl className="mb-4 max-w-xl space-y-2 text-body">
        <Row label="Ordered by">
          {name}, {values.email}
        </Row>
        <Row label="Publication">{preview.publicationName}</Row>
        <Row label="Subscription">
          {preview.productName}
          {preview.extends ? ', after the current one' : ''}
        </Row>
        <Row label="Term">
          {paymentMethod === 'invoice' && begins === 'paid' && amount > 0
            ? 'Begins when the invoice is paid'
            : `${formatDay(preview.startOn)} to ${formatDay(preview.endOn)}`}
        </Row>
        {discount > 0 && (
          <Row label="Price">
            {money(price)}, less {money(discount)} ({promoCode})
          </Row>
        )}
        <Row label="Total">{isFree ? 'Free' : `${money(amount)} ${currency}`}</Row>
        <Row label="Payment">{staffPaymentMethodNames[paymentMethod]}</Row>
      </dl>
      <Form form={form}>
        <UnsavedGuard text={orderNotPlacedText} includesQuery />
        <FormButtons>
          <SubmitButton intent="take">
            {isFree ? 'Place the order' : `Place the order for ${money(amount)}`}
          </SubmitButton>
          <SubmitButton intent="change" kind="secondary">
            Change
          </SubmitButton>
        </FormButtons>
      </Form>
    </Section>
  )
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="numeric">{children}</dd>
    </div>
  )
}
