import { Sequelize } from 'sequelize'
import { expect, it } from 'vitest'
import { AppError, toAppError } from '#core/kernel/errors.ts'
import { loggedError } from './logged-error.ts'

async function failedQuery(): Promise<unknown> {
  const sequelize = new Sequelize('sqlite::memory:', { logging: false })
  try {
    await sequelize.query('INSERT INTO nobody (email) VALUES (:email)', { replacements: { email: 'ann@example.org' } })
  } catch (error) {
    return error
  } finally {
    await sequelize.close()
  }
}

it('gives the reason a statement failed without its data, even as the cause of another error', async () => {
  const error = await failedQuery()
  for (const thrown of [error, toAppError(error), new AppError('unavailable', 'Later', { cause: error })]) {
    const logged = JSON.stringify(loggedError(thrown))
    expect(logged).not.toContain('ann@')
    expect(logged).toContain('no such table: nobody')
  }
})

it('omits the line and the key that PostgreSQL names', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "readers_reference"'), {
    severity: 'ERROR',
    code: '23505',
    detail: 'Key (unique_reference)=(ANN-1) already exists.',
    where: 'COPY readers, line 3: "1\tANN-1\tAnn"',
  })
  expect(loggedError(error)).toMatchObject({ code: '23505', message: expect.stringContaining('readers_reference') })
  expect(JSON.stringify(loggedError(error))).not.toContain('ANN-1')
})

it('keeps our own log details, and values that are not errors', () => {
  expect(loggedError(new AppError('conflict', 'No', { detail: { uploadId: 7 } }))).toMatchObject({
    kind: 'conflict',
    detail: { uploadId: 7 },
  })
  expect(loggedError('gone')).toBe('gone')
})
