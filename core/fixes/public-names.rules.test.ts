import { describe, expect, it } from 'vitest'
import { publicNames } from '#tests/support/public-names.ts'
import { parseName } from './parse-name.rules.ts'

describe('names of people in public life', () => {
  it('are split correctly in at least 85% of all cases, and wrongly in less than 3%', () => {
    const outcomes = publicNames.map(({ fullName, parts }) => {
      const split = parseName(fullName)
      if (split === null) return { fullName, outcome: parts === null ? 'right' : 'left unchanged' }
      const isRight =
        split.title === parts?.title && split.firstName === parts.firstName && split.lastName === parts.lastName
      return { fullName: `${fullName}: ${Object.values(split).join(' | ')}`, outcome: isRight ? 'right' : 'wrong' }
    })
    const namesWith = (outcome: string) =>
      outcomes.filter((found) => found.outcome === outcome).map(({ fullName }) => fullName)
    const report = `left unchanged: ${namesWith('left unchanged').join('; ')}\nwrong: ${namesWith('wrong').join('; ')}`
    expect(publicNames.length).toBeGreaterThanOrEqual(150)
    expect(namesWith('right').length / publicNames.length, report).toBeGreaterThanOrEqual(0.85)
    expect(namesWith('wrong').length / publicNames.length, report).toBeLessThan(0.03)
  })
})
