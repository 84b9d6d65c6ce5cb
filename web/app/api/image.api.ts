import { z } from 'zod'
import { changeBackIssueCover } from '#core/back-issues/change-cover.ts'
import { type UploadedImage, uploadImage } from '#core/images/upload-image.ts'
import { changePublicationImage } from '#core/publications/change-image.ts'
import { type ApiTable, post } from './api-call.ts'

/** Each call takes a picture in the field `image` and returns its URL. */
const picture = {
  files: { image: 'image' },
  response: z.string().describe('The URL of the stored picture'),
  toResponse: (stored: UploadedImage | null) => stored?.address,
}
const idParam = { params: { id: { is: 'id', field: 'id' } } } as const

export const publicationImageApi: ApiTable = {
  prefix: 'publication',
  calls: [
    post({
      path: '/image/{id}',
      summary: "Change a publication's cover: JPEG, PNG, WebP, GIF or AVIF of at most 5 MB and 25 million pixels",
      useCase: changePublicationImage,
      fixed: { kind: 'cover' },
      ...idParam,
      ...picture,
    }),
    post({
      path: '/logo/{id}',
      summary: "Change a publication's logo",
      useCase: changePublicationImage,
      fixed: { kind: 'logo' },
      ...idParam,
      ...picture,
    }),
    post({
      path: '/uploadimage',
      summary: 'Upload a cover for a publication that will be added: its URL goes into thumbImageName',
      useCase: uploadImage,
      fixed: { kind: 'cover' },
      ...picture,
    }),
    post({
      path: '/uploadlogo',
      summary: 'Upload a logo for a publication that will be added: its URL goes into logo',
      useCase: uploadImage,
      fixed: { kind: 'logo' },
      ...picture,
    }),
  ],
}

export const backIssueImageApi: ApiTable = {
  prefix: 'backIssue',
  calls: [
    post({
      path: '/coverImg/{id}',
      summary: "Change a back issue's cover",
      useCase: changeBackIssueCover,
      ...idParam,
      ...picture,
    }),
    post({
      path: '/uploadCover',
      summary: 'Upload a cover for a back issue that will be added: its URL goes into coverImg',
      useCase: uploadImage,
      permission: 'back-issue:write',
      fixed: { kind: 'cover' },
      ...picture,
    }),
  ],
}
