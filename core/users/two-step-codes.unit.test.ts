import { generateSync } from 'otplib'
import { expect, it } from 'vitest'
import {
  authenticatorLink,
  hashRecoveryCode,
  inGroupsOfFour,
  newRecoveryCodes,
  newTwoStepSecret,
  plainCode,
  stepOfCode,
} from './two-step-codes.ts'

const at = (epoch: number) => new Date(epoch * 1000)

it('takes the code of the step before, this one and the next, and of no other', () => {
  const secret = newTwoStepSecret()
  const start = 1_800_000_000
  const code = generateSync({ secret, epoch: start })
  const seen = Array.from({ length: 151 }, (_, n) => n - 60).filter((second) => {
    const step = stepOfCode(secret, code, at(start + second))
    if (step !== null) expect(step).toBe(start / 30)
    return step !== null
  })
  expect([seen[0], seen.at(-1), seen.length]).toEqual([-30, 59, 90])
})

it('is null for what is no code, whatever is typed', () => {
  const secret = newTwoStepSecret()
  for (const typed of ['', '12345', '1234567', 'abcdef', '12345a', '-12345', '１２３４５６'])
    expect(stepOfCode(secret, typed, at(1_800_000_000))).toBeNull()
})

it('makes secrets of 160 bits that an app reads from a link and a person can type', () => {
  const secret = newTwoStepSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(inGroupsOfFour(secret)).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
  expect(authenticatorLink(secret, 'ann@example.test')).toBe(
    `otpauth://totp/Masthead:ann%40example.test?secret=${secret}&issuer=Masthead`,
  )
})

it('makes ten different recovery codes that are the same however they are typed', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/)
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `
    expect(hashRecoveryCode(typed)).toBe(hashRecoveryCode(code))
    expect(plainCode(typed)).not.toMatch(/^\d{6}$/)
  }
})
