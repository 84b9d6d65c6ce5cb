import { z } from 'zod'
import { getCaptcha } from '#core/contact/get-captcha.query.ts'
import { submitContactRequest } from '#core/contact/submit-contact-request.ts'
import { type ApiTable, get, post } from './api-call.ts'
import { WireCaptcha } from './captcha.wire.ts'

/** The public contact form, which the specification files under orders. */
export const contactApi: ApiTable = {
  prefix: 'order',
  calls: [
    get({
      path: '/contactme/captcha',
      summary:
        'A captcha challenge for the contact form, valid for half an hour (ALTCHA, proof of work, version 2): the browser finds the counter whose PBKDF2 key begins with keyPrefix',
      useCase: getCaptcha,
      response: WireCaptcha,
    }),
    post({
      path: '/contactme',
      summary:
        'Write to the operator of this installation. captcha is the solved challenge, with its solution, as JSON in base64, and valid once. The recipient cannot be chosen.',
      useCase: submitContactRequest,
      body: { email: 'email', name: 'name', phone: 'phone', message: 'message', captcha: 'captcha' },
      response: z.object({ message: z.string() }),
      status: 201,
    }),
  ],
}
