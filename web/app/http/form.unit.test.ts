import type { AppLoadContext } from '@remix-run/node'
import { describe, expect, it } from 'vitest'
import { AppError, invalid } from '#core/kernel/errors.ts'
import { readForm, submit } from './form.ts'
import { readImageForm } from './image-form.ts'
import { readOrder } from './order-form.ts'

/** The context of a request whose log is collected. */
function collectedContext() {
  const logged: unknown[] = []
  const log = { error: (fields: object, message: string) => logged.push({ ...fields, message }) }
  const context = { memo: new Map(), services: { log }, requestId: 'request-1' } as unknown as AppLoadContext
  return { context, logged }
}

describe('a form that is refused', () => {
  it('because of a provider shows its message and logs its details under the request id', async () => {
    const { context, logged } = collectedContext()
    const detail = { ours: 900, theirs: 1000 }
    const response = await submit(context, { plan: '2', password: 'secret' }, async () => {
      throw new AppError('upstream', 'The payment provider calculates a different amount', { detail })
    })
    expect(response).toMatchObject({
      data: { problem: { message: 'The payment provider calculates a different amount', values: { plan: '2' } } },
      init: { status: 502 },
    })
    expect(logged).toEqual([{ error: detail, requestId: 'request-1', message: 'form failed' }])
  })

  it('because of its content logs nothing', async () => {
    const { context, logged } = collectedContext()
    const response = await submit(context, {}, async () => {
      throw invalid({ email: 'Required' })
    })
    expect(response).toMatchObject({ data: { problem: { fields: { email: 'Required' } } }, init: { status: 422 } })
    expect(logged).toEqual([])
  })
})

describe('a body that is not a form', () => {
  const bodies = [
    ['application/json', '{"email":"a@example.com"}'],
    ['multipart/form-data; boundary=x', '--y\r\nbroken'],
    ['text/plain', 'email=a'],
  ] as const
  for (const read of [readForm, readOrder, readImageForm])
    it.each(bodies)(`is malformed to ${read.name} (%s)`, async (type, body) => {
      const request = new Request('https://app.test/', { method: 'POST', headers: { 'Content-Type': type }, body })
      await expect(read(request)).rejects.toMatchObject({ kind: 'malformed' })
    })
})
