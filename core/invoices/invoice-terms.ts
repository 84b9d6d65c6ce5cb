import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { wholeNumber } from '../kernel/form-fields.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { defaultDueDays, InvoiceSettings } from './invoice-settings.rows.ts'

/** In how many days the acting publisher's invoices are due. */
export const getInvoiceTerms = useCase({
  permission: 'order:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ dueDays: number }> {
    const { publisherId } = tenantOf(ctx)
    const settings = publisherId === undefined ? null : await InvoiceSettings.find(ctx, { publisherId })
    return { dueDays: settings?.dueDays ?? defaultDueDays }
  },
})

/** Sets in how many days invoices are due that are issued from now on. */
export const setInvoiceTerms = useCase({
  permission: 'invoice:write',
  input: z.object({ dueDays: wholeNumber(0, 180) }),
  async run(ctx, { dueDays }): Promise<void> {
    const { publisherId } = tenantOf(ctx)
    if (publisherId === undefined) throw conflict('No publisher is named', { hint: 'Name it by its email.' })
    if (!(await InvoiceSettings.insertNew(ctx, { publisherId, dueDays })))
      await InvoiceSettings.update(ctx, { publisherId }, { dueDays })
    await recordAudit(ctx, 'set-invoice-terms', { type: 'sales-ledger', id: null, publisherId }, { dueDays })
  },
})
