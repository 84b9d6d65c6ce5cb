import { defineTable, id, instant, json, type TableContext, text } from '../table.ts'

/** The data that the fake plan provider stores for one plan. Times are ISO 8601 strings, amounts pence. */
export interface DemoPlanState {
  planKey: string
  isTaxed: boolean
  couponId: string | null
  percentOff: number
  /** The number of the card. */
  card: string
  periodStart: string
  periodEnd: string
  cancelsAtEnd: boolean
  endedAt: string | null
  /** The overpayment so far. */
  credit: number
  invoices: DemoPlanInvoice[]
  /** The idempotency keys of the changes that were made. */
  keys: string[]
}

export interface DemoPlanInvoice {
  reference: string
  issuedAt: string
  state: 'open' | 'paid' | 'void'
  total: number
  paidAt: string | null
  lines: { text: string; amount: number }[]
}

export const DemoPlans = defineTable('demo_plans', {
  id: id(),
  subscriptionReference: text(),
  customerReference: text(),
  state: json<DemoPlanState>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Creates the record of a plan, once. */
export async function openDemoPlan(ctx: TableContext, plan: Parameters<typeof DemoPlans.insert>[1]): Promise<void> {
  await DemoPlans.insertNew(ctx, plan)
}

/** Updates a record, in the transaction that read and locked it. */
export async function writeDemoPlan(ctx: TableContext, id: number, state: DemoPlanState): Promise<void> {
  await DemoPlans.update(ctx, { id }, { state })
}
