import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readEnv } from './env.ts'
import { projectRoot } from './project-root.ts'
import { shownSettings } from './shown-settings.ts'

it('every numeric default in operating.md is the actual one', () => {
  const page = readFileSync(join(projectRoot(), 'docs/operating.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z_]+)`[^|]*\| `?(\d+)`?(?:,[^|]*)? \|/gm)]
  const documented = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]))
  const used = shownSettings({ values: {}, from: {}, files: [] }, readEnv({ APP_SECRET: 'x'.repeat(40) }))
  expect(documented).toMatchObject({ PORT: '3000', MAIL_CONNECTIONS: '20' })
  expect(
    Object.fromEntries(used.filter(({ name }) => name in documented).map(({ name, value }) => [name, value])),
  ).toEqual(documented)
})
