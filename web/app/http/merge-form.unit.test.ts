import { describe, expect, it } from 'vitest'
import { conflict, invalid } from '#core/kernel/errors.ts'
import { saveMerged } from './merge-form.ts'

const opened = JSON.stringify({ body: 'Dear reader,\nplease renew.', subject: 'Renew' })
type Texts = Record<string, string>

/** Saves the form; `states` are the records that are read one after the other, each refused by the use case unless it is the last. */
async function save(sent: Texts, states: (Texts | undefined)[], reason = conflict('Changed')) {
  const attempts: Texts[] = []
  const saved = await saveMerged(sent, {
    read: async () => states[attempts.length],
    valuesOf: (stored) => stored,
    async save(values, basedOn) {
      attempts.push(values)
      if (basedOn !== states.at(-1)) throw reason
      return values
    },
  }).catch((error: unknown) => error)
  return { saved, attempts: attempts.length, reason }
}

it.each([
  ['keeps a text that was only opened', 'Dear reader,\r\nplease renew.', 'theirs'],
  ['takes a text that was changed', 'Dear reader,\r\n\r\nplease renew.', 'Dear reader,\r\n\r\nplease renew.'],
])('a form with a textarea %s', async (_, body, expected) => {
  const { saved } = await save({ body, subject: 'Renew now', opened }, [{ body: 'theirs', subject: 'Renew' }])
  expect(saved).toEqual({ body: expected, subject: 'Renew now' })
})

describe('a form whose record is saved by somebody else after it was read', () => {
  const sent = { body: 'Dear reader,\nplease renew.', subject: 'Renew now', opened }
  const first = { body: 'first', subject: 'Renew' }
  const second = { body: 'second', subject: 'Renew' }

  it('is merged with the newer record', async () => {
    expect(await save(sent, [first, second])).toMatchObject({
      saved: { body: 'second', subject: 'Renew now' },
      attempts: 2,
    })
  })

  it('is refused if the record changes again', async () => {
    const { saved, attempts, reason } = await save(sent, [first, second, { ...first }])
    expect([saved, attempts]).toEqual([reason, 2])
  })

  it('is saved as it was sent if the record is gone', async () => {
    expect(await save(sent, [first, undefined])).toMatchObject({ saved: sent, attempts: 2 })
  })

  it.each([
    ['refused for another reason', [first, { ...first }, second], undefined],
    ['invalid', [first, second], invalid({ subject: 'Too long' })],
  ])('is not saved again if it is %s', async (_, states, reason) => {
    const refused = await save(sent, states, reason)
    expect([refused.saved, refused.attempts]).toEqual([refused.reason, 1])
  })
})
