import { z } from 'zod'
import { issueApiToken } from '#core/users/api-token.ts'
import { type ApiTable, post } from './api-call.ts'

const TokenAnswer = z.object({ token: z.string() })
const credentials = { email: 'email', password: 'password' }

export const usersApi: ApiTable = {
  prefix: 'users',
  calls: [
    post({
      path: '/login',
      summary:
        'Log in as staff. The token goes into the Authorization header of other calls and lives for eight hours.',
      useCase: issueApiToken,
      body: credentials,
      fixed: { door: 'staff' },
      response: TokenAnswer,
    }),
    post({
      path: '/slogin',
      summary: 'Log in as a superuser',
      useCase: issueApiToken,
      body: credentials,
      fixed: { door: 'super' },
      response: TokenAnswer,
    }),
  ],
}
