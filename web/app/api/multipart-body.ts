import type { Request } from 'express'
import { imageLimits } from '#core/images/image.rules.ts'
import { AppError } from '#core/kernel/errors.ts'

/** The largest picture plus the multipart overhead. */
const limit = imageLimits.bytes + 64 * 1024

/** The files of a multipart body by field. Never buffers more than the limit, whether the request states its length or not. */
export async function multipartBody(request: Request): Promise<Record<string, Uint8Array>> {
  const type = request.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new AppError('malformed', 'The body must be multipart/form-data with the picture in its field "image"')
  if (Number(request.get('content-length') ?? 0) > limit) throw tooLarge()
  const form = await new Response(await bytesOf(request), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new AppError('malformed', 'The body is not complete multipart/form-data. Check its boundary.')
    })
  const files: Record<string, Uint8Array> = {}
  for (const [name, value] of form) {
    if (typeof value !== 'string') files[name] = new Uint8Array(await value.arrayBuffer())
  }
  return files
}

async function bytesOf(request: Request): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Breaking out of the loop would close the connection before the client reads the refusal: the rest is read and discarded.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): AppError {
  return new AppError('tooLarge', 'The image is larger than 5 MB. Choose a smaller one.')
}
