import { expect, it } from 'vitest'
import { mergedWithStored } from './merge-form.ts'

const opened = JSON.stringify({ body: 'Dear reader,\nplease renew.', subject: 'Renew' })

it.each([
  ['keeps a text that was only opened', 'Dear reader,\r\nplease renew.', 'theirs'],
  ['takes a text that was changed', 'Dear reader,\r\n\r\nplease renew.', 'Dear reader,\r\n\r\nplease renew.'],
])('a form with a textarea %s', (_, body, expected) => {
  const merged = mergedWithStored({ body, subject: 'Renew now', opened }, { body: 'theirs', subject: 'Renew' })
  expect(merged).toEqual({ body: expected, subject: 'Renew now' })
})
