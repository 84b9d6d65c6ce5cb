import { avatarShape, imageAddress } from '#core/images/image.rules.ts'

interface AvatarProps {
  /** The name of the stored picture; without one the initials are shown. */
  file: string | null
  name: string
  size?: 'small' | 'medium' | 'large'
}

const sizes = {
  small: { classes: 'size-8 text-caption', pixels: 32, width: 64 },
  medium: { classes: 'size-12 text-input', pixels: 48, width: 256 },
  large: { classes: 'size-24 text-public-h2', pixels: 96, width: 256 },
} as const

/** A person's picture or initials. Decorative, because the name is always next to it. */
export function Avatar({ file, name, size = 'small' }: AvatarProps) {
  const { classes, pixels, width } = sizes[size]
  if (file) {
    return (
      <img
        src={imageAddress(file, avatarShape, width)}
        alt=""
        width={pixels}
        height={pixels}
        className={`shrink-0 rounded-full border border-line bg-subtle object-cover ${classes}`}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-full bg-primary-soft font-semibold text-primary ${classes}`}
    >
      {initials(name)}
    </span>
  )
}

/** The first letters of the first and the last word. */
function initials(name: string): string {
  const words = name.trim().split(/[\s@]+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase()
}
