import sharp from 'sharp'

/** A plain picture of this size in a colour, as a PNG file. */
export function pngOf(width: number, height: number, background = '#1D4F91'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}

/** The multipart form of an upload. */
export function imageForm(bytes: Uint8Array, { name = 'cover.png', type = 'image/png' } = {}): FormData {
  const form = new FormData()
  form.append('image', new File([new Uint8Array(bytes)], name, { type }))
  return form
}
