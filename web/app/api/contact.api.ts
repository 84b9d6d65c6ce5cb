import { z } from 'zod'
import { getCaptcha } from '#core/contact/get-captcha.query.ts'
import { leaveContactRequest } from '#core/contact/leave-contact-request.ts'
import { type ApiTable, get, post } from './api-call.ts'
import { WireCaptcha } from './captcha.wire.ts'

/** The public contact form, which the specification files under orders. */
export const contactApi: ApiTable = {
  prefix: 'order',
  calls: [
    get({
      path: '/contactme/captcha',
      summary:
        'A puzzle for the contact form, good for half an hour (ALTCHA, proof of work, version 2): the browser finds the counter whose PBKDF2 key begins with keyPrefix',
      useCase: getCaptcha,
      response: WireCaptcha,
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
