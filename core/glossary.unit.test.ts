import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const glossary = readFileSync('docs/glossary.md', 'utf8')
const avoided = [...glossary.matchAll(/^\|.*\|([^|]*)\|$/gm)].flatMap(([, last = '']) =>
  [...last.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
)

/** Lines where an avoided word is not ours: headings in other systems' files, a stream event of Node, a given name. */
const exceptions = [/headerSynonyms/, /once\([^)]*'drain'\)/, /guessMapping\(/, /patience prudence/]
const exemptFiles = new Set(['docs/glossary.md', 'docs/style.md', 'core/glossary.unit.test.ts'])

it('keeps the words the glossary avoids out of source, texts and pages', () => {
  expect(avoided).toContain('e-mail')
  const pattern = new RegExp(`(?<![A-Za-z])(${avoided.join('|')})s?(?![a-z])`, 'i')
  const files = execFileSync('git', [
    'ls-files',
    '-co',
    '--exclude-standard',
    '*.ts',
    '*.tsx',
    '*.hbs',
    '*.md',
    '*.mjs',
  ])
  const found: string[] = []
  for (const file of files.toString().trim().split('\n')) {
    // A released migration is never edited.
    if (exemptFiles.has(file) || file.includes('/migrations/')) continue
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries())
      if (pattern.test(line) && !exceptions.some((exception) => exception.test(line)))
        found.push(`${file}:${index + 1} ${line.trim()}`)
  }
  expect(found).toEqual([])
})
