import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'
import { staffRoutes } from '#tests/support/staff-routes.ts'
import { mayCarryImages } from './image-upload-paths.ts'

it('only pages that read images accept them', () => {
  const imagePages = staffRoutes.filter(({ file }) =>
    readFileSync(join(projectRoot(), 'web/app', file), 'utf8').includes('readImageForm('),
  )
  expect(imagePages.length).toBeGreaterThan(1)
  for (const { path } of staffRoutes) {
    const acceptsImages = imagePages.some((page) => page.path === path)
    const pathWithIds = path.replaceAll(/\/:\w+\?/g, '').replaceAll(/:\w+/g, '12')
    for (const requested of [pathWithIds, `${pathWithIds}.data`, `${pathWithIds.toUpperCase()}/`])
      expect([requested, mayCarryImages(requested)]).toEqual([requested, acceptsImages])
  }
})

it("of the wizard's steps only the image step accepts images", () => {
  expect(['/addpublication/images', '/editpublication/12/images.data'].map(mayCarryImages)).toEqual([true, true])
  for (const path of ['/addpublication/info', '/editpublication/12/prices', '/', '/login', '/harbour-light/images'])
    expect([path, mayCarryImages(path)]).toEqual([path, false])
})
