/** The colours of a storefront, all derived from the publication's own colour. */
export interface Theme {
  color: string
  /** The page behind the white cards: the colour 75% lighter. Only dark text may be on it. */
  background: string
  /** The colour 15% darker, for a pressed or hovered button. */
  shade: string
  /** Text on `color`: white or black, whichever is easier to read. */
  label: '#FFFFFF' | '#000000'
  /** A button whose colour is too near the background needs an edge. */
  needsEdge: boolean
}

type Channels = [number, number, number]

/** The theme of a storefront colour (#RRGGBB); anything else counts as the default dark one. */
export function themeOf(color: string): Theme {
  const channels = channelsOf(color) ?? [0x1f, 0x29, 0x33]
  const background = channels.map((c) => Math.round(c + (255 - c) * 0.75)) as Channels
  const shade = channels.map((c) => Math.round(c * 0.85)) as Channels
  const isWhiteBetter = contrast(channels, [255, 255, 255]) >= contrast(channels, [0, 0, 0])
  return {
    color: hex(channels),
    background: hex(background),
    shade: hex(shade),
    label: isWhiteBetter ? '#FFFFFF' : '#000000',
    needsEdge: contrast(channels, background) < 3,
  }
}

function channelsOf(color: string): Channels | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color.trim())
  return match ? (match.slice(1).map((part) => Number.parseInt(part, 16)) as Channels) : null
}

function hex(channels: Channels): string {
  return `#${channels.map((c) => c.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

function luminance(channels: Channels): number {
  const [r, g, b] = channels.map((c) => {
    const part = c / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Channels
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: Channels, b: Channels): number {
  const light = Math.max(luminance(a), luminance(b))
  const dark = Math.min(luminance(a), luminance(b))
  return (light + 0.05) / (dark + 0.05)
}
