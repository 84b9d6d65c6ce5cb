import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'
import { programTexts } from './program-texts.ts'

it('a text for programs replaces one that a use case still has', () => {
  const core = join(projectRoot(), 'core')
  const sources = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(core, path), 'utf8'))
  expect(Object.keys(programTexts).filter((text) => !sources.some((source) => source.includes(text)))).toEqual([])
})
