import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { BasedOn } from '../kernel/based-on.ts'
import { isCountry } from '../kernel/countries.ts'
import { DayInput } from '../kernel/day-input.ts'
import { invalid } from '../kernel/errors.ts'
import { currencies } from '../kernel/money.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'
import { exchangeRatesOf, VatExchangeRates } from './vat-exchange-rates.rows.ts'
import { type QuarterMonth, quarterMonths } from './vat-quarters.rules.ts'
import { ratesOf, VatRates } from './vat-rates.rows.ts'
import { builtInRates, countryGroups, isInEu, supplies, type VatRate, vatSchemes } from './vat-rates.rules.ts'
import { storeVatSettings, VatSettings, type VatSettingsValues } from './vat-settings.rows.ts'

/** Everything that a publisher has set for VAT, for its page. */
export interface VatSettingsView {
  /** Null: nothing is set yet. */
  settings: VatSettingsValues | null
  rates: (VatRate & { id: number })[]
  builtIn: readonly VatRate[]
  exchangeRates: Pick<RowOf<typeof VatExchangeRates>, 'id' | 'month' | 'currency' | 'rate'>[]
}

export const getVatSettings = useCase({
  permission: 'ledger:vat',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<VatSettingsView> {
    const publisherId = requirePublisherId(ctx)
    const stored = await VatSettings.find(ctx, { publisherId })
    const rates = await ratesOf(ctx, publisherId)
    const exchange = await exchangeRatesOf(ctx, publisherId)
    return {
      settings: stored && settingsOf(stored),
      rates: rates.map(({ id, country, supply, fromOn, rate, scheme }) => ({
        id,
        country,
        supply,
        fromOn,
        rate,
        scheme,
      })),
      builtIn: builtInRates,
      exchangeRates: exchange.map(({ id, month, currency, rate }) => ({ id, month, currency, rate })),
    }
  },
})

function settingsOf({
  isRegistered,
  registeredFrom,
  vatNumber,
  usesOss,
  ossNumber,
  bundlePrint,
  quarterMonth,
}: VatSettingsValues): VatSettingsValues {
  return { isRegistered, registeredFrom, vatNumber, usesOss, ossNumber, bundlePrint, quarterMonth }
}

/** A number with at most `decimals` decimal places as an integer: with two, "5.5" is 550. Blank is undefined. */
const scaled = (decimals: number, max: number, message: string) =>
  z
    .string()
    .trim()
    .transform((text, context) => {
      if (text === '') return undefined
      const [, whole, fraction = ''] = /^(\d{1,6})(?:\.(\d+))?\s*%?$/.exec(text) ?? []
      const value = Number(whole) * 10 ** decimals + Number(fraction.padEnd(decimals, '0'))
      if (whole !== undefined && fraction.length <= decimals && value <= max) return value
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })

const yesOrNo = (message: string) =>
  z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], message)

const VatNumber = z
  .string()
  .transform((text) => text.replaceAll(/[\s.-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^([A-Z0-9]{5,15})?$/, 'Enter the number as shown on its certificate, such as GB123456789'))

/** Sets whether and how a publisher charges VAT. Earlier entries are not changed; what was "not set" can be filled in afterwards. */
export const setVatSettings = useCase({
  permission: 'ledger:vat',
  input: z.object({
    isRegistered: yesOrNo('Choose whether you are registered'),
    registeredFrom: DayInput,
    vatNumber: VatNumber.default(''),
    usesOss: yesOrNo('Choose whether you use the One Stop Shop').default(false),
    ossNumber: VatNumber.default(''),
    bundlePrint: scaled(2, 10_000, 'Enter a percentage from 0 to 100, such as 70').optional(),
    quarterMonth: z.coerce
      .number()
      .pipe(z.literal([...quarterMonths], 'Choose a month'))
      .default(1),
    basedOn: BasedOn,
  }),
  async run(ctx, { basedOn, ...input }): Promise<void> {
    const publisherId = requirePublisherId(ctx)
    const errors = {
      ...(input.isRegistered && input.vatNumber === '' && { vatNumber: 'Enter your VAT number' }),
      ...(input.usesOss && !input.isRegistered && { usesOss: 'You must be registered for VAT to use it' }),
      ...(input.usesOss && input.ossNumber === '' && { ossNumber: 'Enter your One Stop Shop number' }),
    }
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const values = {
      ...input,
      registeredFrom: input.isRegistered ? (input.registeredFrom ?? null) : null,
      bundlePrint: input.bundlePrint ?? null,
      quarterMonth: input.quarterMonth as QuarterMonth,
    }
    await storeVatSettings(ctx, publisherId, values, basedOn)
    await recordVat(ctx, 'set-vat-settings', { registered: input.isRegistered, oneStopShop: input.usesOss })
  },
})

const soldSupplies = supplies.filter((supply) => supply !== 'bundle')

/** Sets the rate of a country and kind of supply from a day on; an existing one of that day is replaced. */
export const setVatRate = useCase({
  permission: 'ledger:vat',
  input: z.object({
    country: z
      .string()
      .trim()
      .toUpperCase()
      .refine((code) => isCountry(code) || code in countryGroups, 'Choose a country'),
    supply: z.enum(soldSupplies, 'Choose what is sold'),
    fromOn: DayInput,
    rate: scaled(2, 10_000, 'Enter a rate from 0 to 100, such as 20'),
    scheme: z.enum(vatSchemes, 'Choose a scheme'),
  }),
  async run(ctx, { country, supply, fromOn, rate, scheme }): Promise<void> {
    const publisherId = requirePublisherId(ctx)
    if (fromOn === undefined) throw invalid({ fromOn: 'Enter the day from which it applies' })
    if (rate === undefined) throw invalid({ rate: 'Enter a rate from 0 to 100, such as 20' })
    if (scheme === 'eu-oss' && !isInEu(country)) throw invalid({ scheme: 'The One Stop Shop is for EU countries' })
    if (scheme === 'none' && rate > 0) throw invalid({ rate: 'A rate that is not declared anywhere must be 0' })
    const key = { publisherId, country, supply, fromOn }
    if (!(await VatRates.insertNew(ctx, { ...key, rate, scheme }))) await VatRates.update(ctx, key, { rate, scheme })
    await recordVat(ctx, 'set-vat-rate', { country, supply, from: fromOn, rate: `${rate / 100} %`, scheme })
  },
})

export const removeVatRate = useCase({
  permission: 'ledger:vat',
  input: z.object({ id: z.coerce.number().int() }),
  async run(ctx, { id }): Promise<void> {
    if ((await VatRates.remove(ctx, { id, publisherId: requirePublisherId(ctx) })) > 0)
      await recordVat(ctx, 'remove-vat-rate', { rate: id })
  },
})

/** Sets the exchange rate of a month: units of the currency per pound, as HMRC publishes them. */
export const setVatExchangeRate = useCase({
  permission: 'ledger:vat',
  input: z.object({
    month: z
      .string()
      .trim()
      .regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-03'),
    currency: z.enum(
      currencies.filter((currency) => currency !== 'GBP'),
      'Choose a currency',
    ),
    exchangeRate: scaled(6, 1_000_000_000, 'Enter the units per £1, such as 1.285'),
  }),
  async run(ctx, { month, currency, exchangeRate: rate }): Promise<void> {
    const publisherId = requirePublisherId(ctx)
    if (!rate) throw invalid({ exchangeRate: 'Enter the units per £1, such as 1.285' })
    const key = { publisherId, month, currency }
    if (!(await VatExchangeRates.insertNew(ctx, { ...key, rate }))) await VatExchangeRates.update(ctx, key, { rate })
    await recordVat(ctx, 'set-vat-exchange-rate', { month, for: currency, rate: String(rate / 1_000_000) })
  },
})

export const removeVatExchangeRate = useCase({
  permission: 'ledger:vat',
  input: z.object({ id: z.coerce.number().int() }),
  async run(ctx, { id }): Promise<void> {
    if ((await VatExchangeRates.remove(ctx, { id, publisherId: requirePublisherId(ctx) })) > 0)
      await recordVat(ctx, 'remove-vat-exchange-rate', { rate: id })
  },
})

async function recordVat(
  ctx: AppContext,
  action: Parameters<typeof recordAudit>[1],
  facts: Record<string, string | number | boolean>,
): Promise<void> {
  await recordAudit(ctx, action, { type: 'sales-ledger', id: null, publisherId: requirePublisherId(ctx) }, facts)
}
