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
    const filled = path.replaceAll(/\/:\w+\?/g, '').replaceAll(/:\w+/g, '12')
    for (const sent of [filled, `${filled}.data`, `${filled.toUpperCase()}/`])
      expect([sent, mayCarryImages(sent)]).toEqual([sent, acceptsImages])
  }
})

it("of the wizard's steps only the image step accepts images", () => {
  expect(['/addpublication/images', '/editpublication/12/images.data'].map(mayCarryImages)).toEqual([true, true])
  for (const other of ['/addpublication/info', '/editpublication/12/prices', '/', '/login', '/harbour-light/images'])
    expect([other, mayCarryImages(other)]).toEqual([other, false])
})
