import { expect, it } from 'vitest'
import { publicationSteps } from './publication.input.ts'
import { stepFields, stepOfField } from './publication-steps.rules.ts'

it('the fields of the steps are those with rules, in the same order', () => {
  expect(Object.keys(stepFields)).toEqual(Object.keys(publicationSteps))
  for (const [step, rules] of Object.entries(publicationSteps)) {
    expect([...stepFields[step as keyof typeof stepFields]].sort()).toEqual(Object.keys(rules).sort())
    for (const name of Object.keys(rules)) expect(stepOfField(name)).toBe(step)
  }
  expect(stepOfField('sellsBackIssues')).toBe('submit')
})
