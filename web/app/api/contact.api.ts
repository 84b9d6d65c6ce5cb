import { z } from 'zod'
import { getCaptcha } from '#core/contact/get-captcha.query.ts'
import { leaveContactRequest } from '#core/contact/leave-contact-request.ts'
import { type ApiTable, get, post } from './api-call.ts'

const hex = z.string().describe('Hexadecimal')

/** The public contact form, which the specification files under orders. */
export const contactApi: ApiTable = {
  prefix: 'order',
  calls: [
    get({
      path: '/contactme/captcha',
      summary:
        'A puzzle for the contact form, good for half an hour (ALTCHA, proof of work, version 2): the browser finds the counter whose PBKDF2 key begins with keyPrefix',
      useCase: getCaptcha,
      response: z.object({
        parameters: z.object({
          algorithm: z.string(),
          cost: z.int(),
          data: z.record(z.string(), z.union([z.string(), z.number()])),
          keyLength: z.int(),
          keyPrefix: hex,
          keySignature: hex,
          nonce: hex,
          salt: hex,
        }),
        signature: hex,
      }),
    }),
    post({
      path: '/contactme',
      summary:
        'Write to whoever runs this installation. captcha is the solved puzzle, challenge and solution, as JSON in base64, and good once. Who is written to cannot be chosen.',
      useCase: leaveContactRequest,
      body: { email: 'email', name: 'name', phone: 'phone', message: 'message', captcha: 'captcha' },
      response: z.object({ message: z.string() }),
      status: 201,
    }),
  ],
}
