import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'
import { staffRoutes } from '#tests/support/staff-routes.ts'
import { mayCarryFile } from './file-upload-paths.ts'

it('only the upload pages accept a file of any length', () => {
  const uploadRoutes = staffRoutes.filter(({ file }) =>
    /\breceive(ReaderFile|Postcodes|Report)\(/.test(readFileSync(join(projectRoot(), 'web/app', file), 'utf8')),
  )
  expect(uploadRoutes.length).toBeGreaterThan(3)
  for (const { path } of staffRoutes) {
    const acceptsFile = uploadRoutes.some((route) => route.path === path)
    const pathWithIds = path.replaceAll(/\/:\w+\?/g, '').replaceAll(/:\w+/g, '12')
    for (const requested of [pathWithIds, `${pathWithIds}.data`, `${pathWithIds.toUpperCase()}/`])
      expect([requested, mayCarryFile(requested, 'multipart/form-data; boundary=x')]).toEqual([requested, acceptsFile])
  }
})

it.each(['application/x-www-form-urlencoded', '', 'multipart/form-data'])(
  'a form sent as "%.50s" is buffered, so its length is limited on an upload page too',
  (contentType) => expect(mayCarryFile('/uploadadditional/12', contentType)).toBe(false),
)
