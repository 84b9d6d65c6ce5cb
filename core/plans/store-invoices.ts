import type { AppContext } from '../context.ts'
import { countryName } from '../kernel/countries.ts'
import type { PlanInvoice } from '../ports/plan-lifecycle.ts'
import { vatPercent } from '../pricing/publisher-plans.rules.ts'
import type { AccountRow } from '../users/accounts.rows.ts'
import { vatWithin } from './platform-invoice.rules.ts'
import { type InvoiceParty, nextPlatformNumber, PlatformInvoices } from './platform-invoices.rows.ts'

/**
 * Stores what the provider billed, in the transaction that locks the account. A new invoice gets the next number of the installation; of one
 * that is already stored only the payment can change. An invoice whose total is zero is not stored. Returns the provider's id of the first that was
 * stored as unpaid until now.
 */
export async function storeInvoices(
  ctx: AppContext,
  account: AccountRow,
  invoices: readonly PlanInvoice[],
): Promise<string | null> {
  let firstUnpaid: string | null = null
  const percent = account.planPriceType === 'VAT' ? vatPercent : null
  for (const { reference, state, paidAt, issuedAt, total, lines } of invoices) {
    if (total === 0) continue
    const stored = await PlatformInvoices.find(ctx, { reference })
    if (stored?.state === 'open') firstUnpaid ??= reference
    if (stored && (stored.state !== state || stored.paidAt?.getTime() !== paidAt?.getTime()))
      await PlatformInvoices.update(ctx, { id: stored.id }, { state, paidAt })
    if (stored) continue
    await PlatformInvoices.insert(ctx, {
      publisherId: account.userId,
      reference,
      state,
      issuedAt,
      paidAt,
      total,
      lines,
      number: await nextPlatformNumber(ctx),
      vatPercent: percent,
      vat: vatWithin(total, percent),
      seller: ctx.settings.planSeller,
      customer: customerOf(account),
    })
  }
  return firstUnpaid
}

function customerOf(account: AccountRow): InvoiceParty {
  const { companyName, fullName, addressOne, addressTwo, addressThree, addressFour, postZip, country } = account
  const lines = [
    companyName || fullName,
    addressOne,
    addressTwo,
    addressThree,
    addressFour,
    postZip,
    countryName(country),
  ]
  return { lines: lines.filter((line) => line !== ''), vatNumber: null }
}
