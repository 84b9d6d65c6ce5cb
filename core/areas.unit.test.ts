import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const core = import.meta.dirname
const order: string[] = JSON.parse(readFileSync(join(core, 'areas.json'), 'utf8'))
const root = join(core, '..')

/** The contents of a folder of the project without its tests: folders and files separately. */
function contentsOf(folder: string): { folders: string[]; files: string[] } {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return {
    folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    files: entries.filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name)).map(({ name }) => name),
  }
}

/** The area of a path below `core/`: its first folder, or the file itself next to the folders. */
const areaOf = (path: string) => path.split('/')[0] ?? ''

/** The other areas that each area imports from, types included; tests do not belong to an area. */
function importsBetweenAreas(): Map<string, Set<string>> {
  const imports = new Map(order.map((area) => [area, new Set<string>()]))
  const paths = readdirSync(core, { recursive: true, encoding: 'utf8' })
  for (const path of paths.filter((path) => /(?<!\.test)\.ts$/.test(path))) {
    const text = readFileSync(join(core, path), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'((?:#core\/|\.)[^']+)'/g)) {
      const target = specifier.startsWith('#core/')
        ? specifier.slice(6)
        : relative(core, join(core, dirname(path), specifier))
      if (!target.startsWith('..') && areaOf(target) !== areaOf(path)) imports.get(areaOf(path))?.add(areaOf(target))
    }
  }
  return imports
}

/** The areas that import themselves indirectly, through others. */
function areasInCycles(imports: Map<string, Set<string>>): string[] {
  return [...imports.keys()].filter((area) => {
    const reached = new Set<string>()
    const next = [...(imports.get(area) ?? [])]
    for (let area = next.pop(); area !== undefined; area = next.pop()) {
      if (reached.has(area)) continue
      reached.add(area)
      next.push(...(imports.get(area) ?? []))
    }
    return reached.has(area)
  })
}

describe('the order of areas', () => {
  it('has a row for each folder and file of the core, and no other', () => {
    const { folders, files } = contentsOf('core')
    expect([...order].sort()).toEqual([...folders, ...files].sort())
  })

  it('has no import cycle between areas, types included', () => {
    const imports = importsBetweenAreas()
    // Makes sure that the imports are read at all.
    expect(imports.get('orders')).toContain('readers')
    expect(areasInCycles(imports)).toEqual([])
  })
})

describe('docs/architecture.md', () => {
  const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

  it('lists the areas in their order', () => {
    const rows = [...architecture.matchAll(/^\| `core\/([\w.-]+)` \|/gm)].map(([, area]) => area)
    expect(rows).toEqual(order)
  })

  it.each(['', 'web', 'web/app', 'cli', 'worker', 'tests'])('names every folder of %s/', (folder) => {
    const unlisted = ['node_modules', 'build', 'dist', 'data', 'public', 'fonts', 'coverage']
    const missing = contentsOf(folder)
      .folders.filter((name) => !name.startsWith('.') && !unlisted.includes(name))
      .map((name) => join(folder, name))
      .filter((path) => !architecture.includes(`\`${path}`))
    expect(missing).toEqual([])
  })
})

describe('README.md', () => {
  it('names every page of docs/', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
    expect(pages.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([])
  })
})
