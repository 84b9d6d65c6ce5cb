// The import rules of docs/architecture.md, checked by machine.
const order = require('./core/areas.json')

/** A row of core/areas.json as a path: a folder, or a file beside the folders. */
const placeOf = (area) => (area.endsWith('.ts') ? `^core/${area.replace('.', '\\.')}$` : `^core/${area}/`)

/** Puts the real things together, or starts a thread of its own: the only files of the platform that may know every area. */
const wiring = '^core/platform/(make-services|row-encoder-thread)\\.ts$'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...order.slice(0, -1).map((area, place) => ({
      name: `order-of-areas (${area})`,
      comment:
        'an area imports only what stands above it in core/areas.json; types count. Tests may set up their world with any area',
      severity: 'error',
      from: { path: placeOf(area), pathNot: `\\.test\\.ts$|${wiring}` },
      to: { path: order.slice(place + 1).map(placeOf) },
    })),
    {
      name: 'core-imports-no-entry-point',
      severity: 'error',
      from: { path: '^core/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(web|cli|worker|tests)/' },
    },
    {
      name: 'entry-points-are-separate',
      comment: 'web, cli and worker meet in serve-role.ts alone',
      severity: 'error',
      from: { path: '^(web|cli|worker)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(web|cli|worker)/', pathNot: '^$1/' },
    },
    {
      name: 'rules-are-pure',
      comment: 'rules, inputs and columns are functions of values: kernel, the permission table, zod, each other',
      severity: 'error',
      from: { path: '^core/.*\\.(rules|input|columns)\\.ts$' },
      to: {
        path: '^(core|node_modules)/',
        pathNot:
          '(^core/(kernel|ports)/|^core/access/(permissions|user-types|actor)\\.ts$|\\.(rules|input|columns)\\.ts$|^node_modules/(zod|temporal-polyfill)/)',
      },
    },
    {
      name: 'only-platform-touches-the-world',
      severity: 'error',
      from: { path: '^core/', pathNot: '^core/(platform|seed)/|\\.test\\.ts$' },
      to: { path: '^core/platform/|^node_modules/(bull|ioredis|pg|pg-copy-streams|sqlite3|nodemailer|handlebars)/' },
    },
    {
      name: 'entry-points-import-no-rows',
      severity: 'error',
      from: { path: '^(web|cli|worker)/', pathNot: '\\.test\\.ts$' },
      to: { path: '\\.rows\\.ts$|^node_modules/(sequelize|sqlite3|pg)/' },
    },
    {
      name: 'components-see-pure-core',
      severity: 'error',
      from: { path: '^web/app/components/' },
      to: {
        path: '^core/',
        pathNot: '^core/kernel/|\\.(rules|input)\\.ts$|^core/access/user-types\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'routes-alone',
      severity: 'error',
      from: { path: '^web/app/routes/' },
      to: { path: '^web/app/routes/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:|build/server/index\\.js$|dist/serve\\.js$|\\?url$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
