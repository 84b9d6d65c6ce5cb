import { expect, it } from 'vitest'
import { mergeRequest } from './likely-form.ts'

it('treats a value that no record has as no choice, so that the merge composes it', () => {
  const values = { 'version.1': '3', 'version.2': '1', 'choice.fullName': '', 'choice.lastName': '1', survivorId: '1' }
  expect(mergeRequest(values)).toMatchObject({
    readerIds: ['1', '2'],
    versions: { 1: '3', 2: '1' },
    survivorId: '1',
    choices: { lastName: '1' },
  })
  expect(mergeRequest(values).choices).not.toHaveProperty('fullName')
})
