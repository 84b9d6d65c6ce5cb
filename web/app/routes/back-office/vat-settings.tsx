import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form as PlainForm, useActionData, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { countryGroups, formatRate, schemeNames, supplies, supplyNames, vatSchemes } from '#core/vat/vat-rates.rules.ts'
import {
  getVatSettings,
  removeVatExchangeRate,
  removeVatRate,
  setVatExchangeRate,
  setVatRate,
  setVatSettings,
  type VatSettingsView,
} from '#core/vat/vat-settings.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { CheckboxField, SelectField, TextField } from '#web/app/components/ui/form-fields.tsx'
import { DayText, monthName } from '#web/app/components/ui/formats.tsx'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { readForm, submit } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen, type StaffContext } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'VAT settings'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'Sales Ledger', to: '/payments' }, { label: 'VAT', to: '/payments/vat' }, { label: title }],
}

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'vatSettings')
  const view = await getVatSettings(ctx, {})
  const withPlaceName = <Row extends { country: string }>(row: Row) => ({ ...row, place: placeName(row.country) })
  const params = new URL(request.url).searchParams
  const country = params.get('country')
  const supply = params.get('supply')
  return {
    ...view,
    rates: view.rates.map(withPlaceName),
    builtIn: view.builtIn.map(withPlaceName),
    countries,
    /** The rate that the link of a missing rate preselects. */
    preselected: {
      country: countries.find(({ value }) => value === country)?.value ?? 'GB',
      supply: soldSupplies.find(({ value }) => value === supply)?.value ?? 'print',
    },
  }
}

// Named by the server, because browsers may use other names, which would break hydration.
const [british, ...others] = countryChoices.map(({ code, name }) => ({ value: code, label: name }))
const groups = Object.entries(countryGroups).map(([value, label]) => ({ value, label }))
const countries = [...(british ? [british] : []), ...groups, ...others]

/** The name of a country or a group, as written within a sentence. */
function placeName(country: string): string {
  const name = countries.find(({ value }) => value === country)?.label ?? country
  return country in countryGroups ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

const intents = {
  settings: [saveSettings, 'VAT settings saved'],
  rate: [setVatRate, 'Rate saved'],
  exchange: [setVatExchangeRate, 'Exchange rate saved'],
  'remove-rate': [removeVatRate, 'Rate removed'],
  'remove-exchange': [removeVatExchangeRate, 'Exchange rate removed'],
} as const

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'vatSettings')
  const { intent, ...values } = await readForm(request)
  const [perform, text] = intents[intent as keyof typeof intents] ?? intents.settings
  return submit(context, { intent: intent ?? '', ...values }, async () => {
    await perform(ctx, values)
    return redirectWithToast(context, '/payments/vat/settings', { kind: 'success', text })
  })
}

function saveSettings(ctx: StaffContext, values: Record<string, string>): Promise<void> {
  return saveMerged(values, {
    read: () => getVatSettings(ctx, {}),
    valuesOf: ({ settings }) => registrationValues(settings),
    // Without settings it is based on none: those that somebody else has just added are not overwritten either.
    save: (merged, view) => setVatSettings(ctx, { ...merged, basedOn: view?.settings ?? {} }),
  })
}

/** Errors of the buttons in the tables. */
const removalFailures: Record<string, string> = {
  'remove-rate': 'Rate not removed',
  'remove-exchange': 'Exchange rate not removed',
}

export default function VatSettingsPage() {
  const view = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const failure = removalFailures[problem?.values.intent ?? '']
  return (
    <>
      <PageHeader
        title={title}
        note="These settings apply to new sales. Lines that already have VAT keep it; lines that are “not set” are filled in on the VAT page."
      />
      {problem && failure && (
        <div className="mb-4">
          <Banner tone="danger" title={failure} isAlert>
            {[problem.message, problem.hint].filter(Boolean).join('. ')}
          </Banner>
        </div>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[2fr_3fr]">
        <Registration settings={view.settings} />
        <div className="space-y-5">
          <Rates {...view} />
          <ExchangeRates rates={view.exchangeRates} />
        </div>
      </div>
    </>
  )
}

const yesNo = [
  { value: '', label: 'Choose' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

const quarterStarts = [
  { value: 1, label: 'January, April, July, October' },
  { value: 2, label: 'February, May, August, November' },
  { value: 3, label: 'March, June, September, December' },
]

function Registration({ settings }: Pick<VatSettingsView, 'settings'>) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'settings' },
    labels: {
      isRegistered: 'Registered for VAT in the UK',
      registeredFrom: 'Registered from',
      vatNumber: 'VAT number',
      usesOss: 'One Stop Shop',
      ossNumber: 'One Stop Shop number',
      bundlePrint: 'Print part of a bundle',
      quarterMonth: 'Quarters begin in',
    },
    values: registrationValues(settings),
    isMerged: true,
  })
  return (
    <section className="card space-y-4 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Registration</h2>
      <Form form={form} className="space-y-4">
        <SelectField name="isRegistered" options={yesNo} isRequired />
        <TextField
          name="registeredFrom"
          maxLength={10}
          hint="DD/MM/YYYY. Leave blank if you were registered before your first sale."
        />
        <TextField name="vatNumber" maxLength={20} />
        <CheckboxField name="usesOss" label="I declare digital sales to EU consumers through the One Stop Shop" />
        <TextField name="ossNumber" maxLength={20} />
        <TextField
          name="bundlePrint"
          maxLength={6}
          inputMode="decimal"
          hint="Per cent of the price of print and digital together, such as 70. The rest is the digital part."
        />
        <SelectField name="quarterMonth" options={quarterStarts} />
        <FormButtons>
          <SubmitButton>Save VAT settings</SubmitButton>
        </FormButtons>
      </Form>
    </section>
  )
}

/** The stored settings as the form shows them. */
function registrationValues(settings: VatSettingsView['settings']): Record<string, string> {
  return {
    isRegistered: settings ? String(settings.isRegistered) : '',
    registeredFrom: settings?.registeredFrom ? formatDay(settings.registeredFrom) : '',
    vatNumber: settings?.vatNumber ?? '',
    usesOss: String(settings?.usesOss ?? false),
    ossNumber: settings?.ossNumber ?? '',
    bundlePrint: settings?.bundlePrint == null ? '' : formatRate(settings.bundlePrint),
    quarterMonth: String(settings?.quarterMonth ?? 1),
  }
}

type Loaded = Awaited<ReturnType<typeof loader>>

function Rates({
  rates,
  builtIn,
  countries: choices,
  preselected,
}: Pick<Loaded, 'rates' | 'builtIn' | 'countries' | 'preselected'>) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'rate' },
    labels: { country: 'Country', supply: 'Supply', fromOn: 'From', rate: 'Rate', scheme: 'Scheme' },
    values: { ...preselected, fromOn: '', rate: '', scheme: 'uk' },
  })
  const columns: Column<Loaded['rates'][number]>[] = [
    {
      header: 'Supply',
      onCard: 'title',
      cell: ({ place, supply }) => `${supplyNames[supply]}, ${place}`,
    },
    { header: 'From', cell: ({ fromOn }) => <DayText day={fromOn} /> },
    { header: 'Rate', isNumber: true, cell: ({ rate }) => `${formatRate(rate)}%` },
    { header: 'Scheme', cell: ({ scheme }) => schemeNames[scheme] },
    {
      header: 'Actions',
      cell: ({ id, supply, place }) => (
        <Remove intent="remove-rate" id={id} what={`the rate for ${supplyNames[supply].toLowerCase()} in ${place}`} />
      ),
    },
  ]
  // Built-in rates have no id: they cannot be removed.
  const builtInRows = builtIn.map((rate, index) => ({ ...rate, id: -1 - index }))
  return (
    <section id="rates" className="card space-y-4 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Rates</h2>
      <p className="text-body text-ink-2">
        Your rates take precedence over built-in ones, and a country’s rate over that of its group.
      </p>
      {rates.length > 0 && (
        <DataTable label="Your VAT rates" columns={columns} rows={rates} rowKey={({ id }) => id} sort="" empty={null} />
      )}
      <ExpandableSection summary={countOf(builtInRows.length, 'built-in rate')}>
        <DataTable
          label="Built-in VAT rates"
          columns={columns.filter(({ header }) => header !== 'Actions')}
          rows={builtInRows}
          rowKey={({ id }) => id}
          sort=""
          empty={null}
        />
      </ExpandableSection>
      <Form form={form} className="space-y-4">
        <SelectField name="country" options={choices} isRequired />
        <SelectField name="supply" options={soldSupplies} isRequired />
        <TextField name="fromOn" isRequired maxLength={10} hint="DD/MM/YYYY" />
        <TextField name="rate" isRequired maxLength={7} inputMode="decimal" hint="Per cent, such as 20 or 5.5." />
        <SelectField name="scheme" options={schemes} isRequired />
        <FormButtons>
          <SubmitButton>Save rate</SubmitButton>
        </FormButtons>
      </Form>
    </section>
  )
}

const soldSupplies = supplies
  .filter((supply) => supply !== 'bundle')
  .map((value) => ({ value, label: supplyNames[value] }))
const schemes = vatSchemes.map((value) => ({ value, label: schemeNames[value] }))

/** The monthly rates of a quarter, the period of a VAT return, in both currencies. */
const recentRates = 6

function ExchangeRates({ rates }: { rates: VatSettingsView['exchangeRates'] }) {
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    identifiedBy: { intent: 'exchange' },
    labels: { month: 'Month', currency: 'Currency', exchangeRate: 'Units per £1' },
    values: { month: '', currency: 'USD', exchangeRate: '' },
  })
  const columns: Column<VatSettingsView['exchangeRates'][number]>[] = [
    { header: 'Month', onCard: 'title', cell: ({ month }) => monthName(month) },
    { header: 'Units per £1', isNumber: true, cell: ({ rate, currency }) => `${rate / 1_000_000} ${currency}` },
    {
      header: 'Actions',
      cell: ({ id, month, currency }) => (
        <Remove intent="remove-exchange" id={id} what={`the ${currency} rate for ${monthName(month)}`} />
      ),
    },
  ]
  const table = (label: string, shown: typeof rates) => (
    <DataTable label={label} columns={columns} rows={shown} rowKey={({ id }) => id} sort="" empty={null} />
  )
  const recent = rates.slice(0, recentRates)
  const earlier = rates.slice(recentRates)
  return (
    <section className="card space-y-4 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Exchange rates</h2>
      <p className="text-body text-ink-2">
        VAT in dollars and euros is declared in pounds, at the rate that HMRC publishes for the month.
      </p>
      {recent.length > 0 && table('Exchange rates', recent)}
      {earlier.length > 0 && (
        <ExpandableSection summary={countOf(earlier.length, 'earlier exchange rate')}>
          {table('Earlier exchange rates', earlier)}
        </ExpandableSection>
      )}
      <Form form={form} className="space-y-4">
        <TextField name="month" isRequired maxLength={7} hint="For example, 2026-03." />
        <SelectField
          name="currency"
          isRequired
          options={[
            { value: 'USD', label: 'USD' },
            { value: 'EUR', label: 'EUR' },
          ]}
        />
        <TextField name="exchangeRate" isRequired maxLength={14} inputMode="decimal" hint="For example, 1.285." />
        <FormButtons>
          <SubmitButton>Save exchange rate</SubmitButton>
        </FormButtons>
      </Form>
    </section>
  )
}

function ExpandableSection({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details>
      <summary className="link cursor-pointer text-body">{summary}</summary>
      <div className="mt-3">{children}</div>
    </details>
  )
}

function Remove({ intent, id, what }: { intent: string; id: number; what: string }) {
  return (
    <PlainForm method="post">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" aria-label={`Remove ${what}`}>
        Remove
      </Button>
    </PlainForm>
  )
}
