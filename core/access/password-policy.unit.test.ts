import { expect, it } from 'vitest'
import { english, type Phrase } from '../kernel/phrases.ts'
import { newPasswordProblem, newPasswordProblems } from './password-policy.ts'

const inEnglish = (problem: Phrase | undefined) => problem && english(problem)

it('accepts anything from six characters to long sentences, and refuses common passwords', async () => {
  expect(await newPasswordProblem('', 6)).toBe('Required')
  expect(inEnglish(await newPasswordProblem('abcde', 6))).toBe('Must be at least 6 characters')
  expect(await newPasswordProblem('abcde', 5)).toBeUndefined()
  for (const common of ['password', 'PASSWORD', '123456', 'qwerty', 'dragon'])
    expect(inEnglish(await newPasswordProblem(common, 6)), common).toMatch(/most common passwords/)
  for (const good of ['masthead', 'kite under harbour', 'ü'.repeat(64), 'x'.repeat(200)])
    expect(await newPasswordProblem(good, 6), good).toBeUndefined()
  expect(inEnglish(await newPasswordProblem('x'.repeat(201), 6))).toBe('Must be 200 characters or fewer')
})

it('requires the same password twice', async () => {
  expect(await newPasswordProblems({ password: 'kite-under', password2: 'kite-under' }, 6)).toEqual({})
  expect(await newPasswordProblems({ password: 'kite-under' }, 6)).toEqual({ password2: 'Required' })
  const problems = await newPasswordProblems({ password: 'kite', password2: 'kites' }, 6)
  expect([inEnglish(problems.password), inEnglish(problems.password2)]).toEqual([
    'Must be at least 6 characters',
    'The passwords must match.',
  ])
})
