import { z } from 'zod'
import { asInstant } from '../database.ts'
import { printMoment } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'
import type { ContactRequestView } from './contact-request.email.ts'
import { paragraphs, productFrame } from './mail-frame.rules.ts'
import { sendOnce } from './send-once.ts'

/** Mails a contact request to the house, once. The visitor is only who an answer goes to. */
export const sendContactRequest = useCase({
  permission: 'machine:operate',
  input: z.object({ contactRequestId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { contactRequestId: id }): Promise<boolean> {
    const [request] = await ctx.db.query<{
      name: string
      email: string
      phone: string
      message: string
      created_at: Date | string
    }>(`SELECT name, email, phone, message, created_at FROM contact_requests WHERE id = :id`, { id })
    if (!request) return false
    const { name, email, phone, message, created_at } = request
    const frame = productFrame(ctx.settings.appUrl)
    const view: ContactRequestView = {
      ...frame,
      template: 'contact-request',
      name,
      email,
      phone,
      writtenAt: printMoment(asInstant(created_at), ctx.settings.timeZone),
      message: paragraphs(message),
    }
    return sendOnce(ctx, {
      emailKey: `contact-request:${id}`,
      view,
      headers: { to: ctx.settings.contactEmail, fromName: frame.publisherName, replyTo: email },
    })
  },
})
