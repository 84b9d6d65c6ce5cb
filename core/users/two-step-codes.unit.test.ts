import { generateSync } from 'otplib'
import { expect, it } from 'vitest'
import {
  authenticatorLink,
  hashRecoveryCode,
  inGroupsOfFour,
  newRecoveryCodes,
  newTwoStepSecret,
  plainCode,
  timeStepOf,
} from './two-step-codes.ts'

const dateAt = (epoch: number) => new Date(epoch * 1000)

it('accepts the code of the previous, the current and the next time step, and no other', () => {
  const secret = newTwoStepSecret()
  const start = 1_800_000_000
  const code = generateSync({ secret, epoch: start })
  const accepted = Array.from({ length: 151 }, (_, n) => n - 60).filter((second) => {
    const step = timeStepOf(secret, code, dateAt(start + second))
    if (step !== null) expect(step).toBe(start / 30)
    return step !== null
  })
  expect([accepted[0], accepted.at(-1), accepted.length]).toEqual([-30, 59, 90])
})

it('returns null for anything that is not six digits', () => {
  const secret = newTwoStepSecret()
  for (const typed of ['', '12345', '1234567', 'abcdef', '12345a', '-12345', '１２３４５６'])
    expect(timeStepOf(secret, typed, dateAt(1_800_000_000))).toBeNull()
})

it('creates 160-bit secrets, as a link for an app and in groups to type', () => {
  const secret = newTwoStepSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(inGroupsOfFour(secret)).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
  expect(authenticatorLink(secret, 'ann@example.test')).toBe(
    `otpauth://totp/Masthead:ann%40example.test?secret=${secret}&issuer=Masthead`,
  )
})

it('creates ten different recovery codes, whose case, spaces and hyphens do not matter', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/)
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `
    expect(hashRecoveryCode(typed)).toBe(hashRecoveryCode(code))
    expect(plainCode(typed)).not.toMatch(/^\d{6}$/)
  }
})
