import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const folder = import.meta.dirname
const styles = readFileSync(join(folder, 'shop.css'), 'utf8')
/** Shown where there is no shop, with the styles of the back office. */
const withOtherStyles = new Set(['components/layout/staff-error-page.tsx'])

/** All components that a page can show: what its route imports, also on demand. */
function componentsOf(routes: string[]): Set<string> {
  const visited = new Set<string>()
  const pending = [...routes]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (visited.has(path) || withOtherStyles.has(path) || !existsSync(join(folder, path))) continue
    visited.add(path)
    for (const [, name = ''] of readFileSync(join(folder, path), 'utf8').matchAll(
      /^(?:import (?!type)|export |} from |.*\bimport\().*?'([^']+\.tsx?)'/gm,
    ))
      pending.push(name.startsWith('#web/app/') ? name.slice('#web/app/'.length) : join(dirname(path), name))
  }
  return new Set([...visited].filter((path) => path.endsWith('.tsx')))
}

const hasClasses = (path: string) => readFileSync(join(folder, path), 'utf8').includes('className')

it('the styles of shops are made from every component that their pages can show', () => {
  const sources = [...styles.matchAll(/^@source "\.\/(.+)";/gm)].map(([, source = '']) => source)
  const routes = ['routes/storefront', 'routes/buyer'].flatMap((routeFolder) =>
    readdirSync(join(folder, routeFolder)).map((name) => join(routeFolder, name)),
  )
  const shown = componentsOf([...routes, 'root.tsx'])
  expect(shown.size).toBeGreaterThan(100)
  expect(shown).toContain('components/ui/captcha.tsx')
  const isCovered = (path: string) => sources.some((source) => path === source || path.startsWith(`${source}/`))
  expect([...shown].filter((path) => hasClasses(path) && !isCovered(path))).toEqual([])
  for (const source of sources) expect(existsSync(join(folder, source)), source).toBe(true)
})

it('texts and their lines grow with the font size that the reader has set in the browser', () => {
  const theme = readFileSync(join(folder, 'theme.css'), 'utf8')
  const sizes = [...theme.matchAll(/--text-[\w-]+: ([\d.]+)(\w+);/g)]
  expect(sizes.length).toBeGreaterThan(15)
  expect(new Set(sizes.map(([, , unit]) => unit))).toEqual(new Set(['rem']))
})
