import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#core/platform/project-root.ts'
import routes from '#web/app/routes.ts'

interface StaffRoute {
  /** The address with its values as `:name`. */
  path: string
  file: string
  screen: string
  hasAction: boolean
  /** Accepts POST alone: other methods get the same response for every role. */
  isPostOnly: boolean
  /** Shows a page; without one it is data or a file. */
  isPage: boolean
}

interface ConfiguredRoute {
  path?: string
  file: string
  children?: ConfiguredRoute[]
}

function flat(configured: readonly ConfiguredRoute[]): ConfiguredRoute[] {
  return configured.flatMap((route) => [route, ...flat(route.children ?? [])])
}

/** Every address behind the log-in, read from the table of routes and from the files it names: a new one is included automatically. */
export const staffRoutes: readonly StaffRoute[] = flat((await routes) as ConfiguredRoute[]).flatMap(
  ({ path, file }) => {
    if (!path || !/routes\/(back-office|downloads)\//.test(file)) return []
    const source = readFileSync(join(projectRoot(), 'web/app', file), 'utf8')
    return [
      {
        // An optional value is omitted: the page without it is the same screen.
        path: `/${path}`.replaceAll(/\/:\w+\?/g, ''),
        file,
        screen: /\brequireScreen\(request, context, '(\w+)'\)/.exec(source)?.[1] ?? '',
        hasAction: /^export (async )?function action\b/m.test(source),
        isPostOnly: /^export const loader = postOnly$/m.test(source),
        isPage: /^export default\b/m.test(source),
      },
    ]
  },
)
