import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'

/** Files with links that are shown on pages where no payment provider's script may run (security-headers.ts). */
const filesWithoutPayment = [
  /^components\/(forms|landing|layout|site)\//,
  /^components\/buyer\/(authorize-forms|log-in-fields|reset-form)\.tsx$/,
  /^routes\/buyer\/(authorize|reset)\.tsx$/,
  /^routes\/public\/(?!sign-up)/,
]

const link = /<(?:Link|LinkButton|ShopLink)\s[^<]*?>/g
const leadsToPayment = /\sto=(?:"\/signup|\{(?:signUp|stepPath)\b|\{`\/\$\{[\w.]*urlKey\})/

it('a link to a page where people pay loads the document, and with it the policy that lets the provider’s script run', () => {
  const folder = join(projectRoot(), 'web/app')
  const links = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && filesWithoutPayment.some((files) => files.test(name)))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(link)]
        .filter(([tag]) => leadsToPayment.test(tag))
        .map(([tag]) => `${name}: ${tag}`),
    )
  expect(links.length).toBeGreaterThan(8)
  expect(links.filter((tag) => !/\sreloadDocument\b/.test(tag))).toEqual([])
})
