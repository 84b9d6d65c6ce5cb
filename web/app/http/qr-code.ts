import qrcode from 'qrcode'

/** A text as a QR code, as a data URL for an `img`. */
export async function qrCode(text: string): Promise<string> {
  const svg = await qrcode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
