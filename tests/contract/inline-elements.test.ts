import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'

// JSX drops a line break beside an element: without {' '} the link and the next word are joined.
it('no text loses the space after a link or an emphasis', () => {
  const root = join(projectRoot(), 'web/app')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const faults = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [...source.matchAll(/<\/(?:Link|a|strong|em|code)>\n {2,}[a-z(]+ [a-z]+/g)].map(
      ([text]) => `${file}: ${text}`,
    )
  })
  expect(faults).toEqual([])
})
