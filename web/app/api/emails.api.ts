import { z } from 'zod'
import { getSentMail, type LoggedMail, listMailLog, mailStates } from '#core/emails/mail-log.query.ts'
import { resendMail } from '#core/emails/resend-mail.ts'
import { tryMailAddress } from '#core/emails/try-mail-address.ts'
import { type ApiTable, get, post } from './api-call.ts'
import { senderCalls } from './sender-calls.ts'
import { WireId } from './wire-values.ts'

const WireMail = z.object({
  _id: WireId,
  sentAt: z.iso.datetime().describe('When it was sent, or first tried if it has not been sent'),
  mail: z.string(),
  title: z.string(),
  subject: z.string(),
  to: z.string(),
  readerId: WireId.nullable(),
  readerName: z.string(),
  state: z.enum(mailStates),
  answer: z.string().describe('The response of the mail server, or why the email was not sent'),
  attempts: z.int(),
})

function wireMail({ id, at, mail, title, subject, to, reader, state, answer, tries }: LoggedMail) {
  return {
    _id: id,
    sentAt: at.toISOString(),
    mail,
    title,
    subject,
    to,
    readerId: reader?.id ?? null,
    readerName: reader?.name ?? '',
    state,
    answer,
    attempts: tries,
  }
}

export const emailsApi: ApiTable = {
  prefix: 'emails',
  calls: [
    get({
      path: '/all/{publicationId}',
      summary: 'The emails of a publication, newest first, in pages: before and after take the number of an email',
      useCase: listMailLog,
      params: { publicationId: { is: 'id', field: 'publicationId' } },
      query: {
        q: 'q',
        readerId: 'readerId',
        mail: 'mail',
        state: 'state',
        from: 'from',
        to: 'to',
        before: 'before',
        after: 'after',
        size: 'size',
      },
      response: z.object({ rows: z.array(WireMail), newer: WireId.nullable(), older: WireId.nullable() }),
      toResponse: ({ emails, newer, older }) => ({ rows: emails.map(wireMail), newer, older }),
      extraStatuses: [404],
    }),
    get({
      path: '/one/{id}',
      summary: 'One email with its body as it was sent; links that gave access are masked',
      useCase: getSentMail,
      params: { id: { is: 'id', field: 'id' } },
      response: WireMail.extend({ html: z.string().nullable(), text: z.string().nullable() }),
      toResponse: (mail) => ({ ...wireMail(mail), html: mail.body?.html ?? null, text: mail.body?.text ?? null }),
    }),
    post({
      path: '/resend/{id}',
      summary: 'Send an email again, rendered with current data. The same key sent twice sends one email.',
      useCase: resendMail,
      params: { id: { is: 'id', field: 'id' } },
      body: { key: 'key' },
      response: z.object({ to: z.string(), title: z.string() }),
      extraStatuses: [409],
    }),
    post({
      path: '/try-address/{id}',
      summary: 'Let emails be sent again to the address of an email, after they bounced',
      useCase: tryMailAddress,
      params: { id: { is: 'id', field: 'id' } },
      response: z.object({ to: z.string(), changed: z.boolean() }),
    }),
    ...senderCalls,
  ],
}
