import { z } from 'zod'
import { issueApiToken } from '#core/users/api-token.ts'
import { type ApiTable, post } from './api-call.ts'

const TokenAnswer = z.object({ token: z.string() })

export const usersApi: ApiTable = {
  prefix: 'users',
  calls: [
    post({
      path: '/login',
      summary:
        'Log in as staff. The token goes into the Authorization header of every other call and lives for eight hours.',
      useCase: issueApiToken,
      body: { email: 'email', password: 'password' },
      response: TokenAnswer,
    }),
  ],
}
