import { daysBetween } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'

/** The amount of an invoice and its settled parts, which together never exceed it; in minor units. */
interface InvoiceAmounts {
  amount: number
  paid: number
  credited: number
  writtenOff: number
}

export type InvoiceState = 'unpaid' | 'part-paid' | 'overdue' | 'paid' | 'credited' | 'cancelled' | 'written-off'

/** The states as text for staff. */
export const invoiceStateLabels: Record<InvoiceState, string> = {
  unpaid: 'Unpaid',
  'part-paid': 'Part paid',
  overdue: 'Overdue',
  paid: 'Paid',
  credited: 'Credited',
  cancelled: 'Cancelled',
  'written-off': 'Written off',
}

/** What is still to be paid. */
export function outstanding({ amount, paid, credited, writtenOff }: InvoiceAmounts): number {
  return amount - paid - credited - writtenOff
}

/** The state of an invoice at the end of a day. */
export function invoiceState(
  invoice: InvoiceAmounts & { dueOn: Day; beginsWhenPaid: boolean },
  today: Day,
): InvoiceState {
  if (outstanding(invoice) > 0) {
    if (invoice.dueOn < today) return 'overdue'
    return invoice.paid > 0 ? 'part-paid' : 'unpaid'
  }
  if (invoice.writtenOff > 0) return 'written-off'
  if (invoice.paid > 0 || invoice.credited === 0) return 'paid'
  // A subscription that never began is not credited: nothing had been sold.
  return invoice.beginsWhenPaid ? 'cancelled' : 'credited'
}

/** The classes of an aged debtors list, by the days an invoice is overdue: the first whose limit it does not exceed. */
export const ageClasses = [
  { name: 'current', label: 'Not due', until: 0 },
  { name: 'to30', label: '1–30 days', until: 30 },
  { name: 'to60', label: '31–60 days', until: 60 },
  { name: 'to90', label: '61–90 days', until: 90 },
  { name: 'over90', label: 'Over 90 days', until: Number.POSITIVE_INFINITY },
] as const

export type AgeClass = (typeof ageClasses)[number]['name']

export function daysOverdue(dueOn: Day, today: Day): number {
  return Math.max(0, daysBetween(dueOn, today))
}

export function ageClassOf(dueOn: Day, today: Day): AgeClass {
  const days = daysOverdue(dueOn, today)
  return (ageClasses.find(({ until }) => days <= until) ?? ageClasses[4]).name
}

/** How many days after the due day each reminder is sent. */
export const reminderDays = [1, 15, 30] as const

export const formatInvoiceNumber = (number: number) => `INV-${String(number).padStart(6, '0')}`
export const formatCreditNoteNumber = (number: number) => `CN-${String(number).padStart(6, '0')}`
