import type { ReactNode } from 'react'

export type SocialNetwork = 'facebook' | 'twitter' | 'youtube' | 'instagram'

export const socialNames: Record<SocialNetwork, string> = {
  facebook: 'Facebook',
  twitter: 'Twitter',
  youtube: 'YouTube',
  instagram: 'Instagram',
}

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 2 }

const drawings: Record<SocialNetwork, ReactNode> = {
  facebook: (
    <>
      <circle cx="12" cy="12" r="10" fill="currentColor" />
      <path d="M13 20v-7m-3.5 0h6m-2.5 0V9.5A2.5 2.5 0 0 1 15.5 7H16" {...line} stroke="Canvas" strokeWidth="2.4" />
    </>
  ),
  twitter: (
    <>
      <path d="M4 4h4.5L20 20h-4.5z" {...line} strokeLinejoin="round" />
      <path d="M19.5 4 13.4 10.9M10.6 13.3 4.5 20" {...line} />
    </>
  ),
  youtube: (
    <>
      <rect x="2" y="5" width="20" height="14" rx="4" fill="currentColor" />
      <path d="M10 8.8v6.4l5.5-3.200z" fill="Canvas" />
    </>
  ),
  instagram: (
    <>
      <rect x="3" y="3" width="18" height="18" rx="5" {...line} />
      <circle cx="12" cy="12" r="4" {...line} />
      <circle cx="17.2" cy="6.8" r="1.3" fill="currentColor" />
    </>
  ),
}

/** The logo of a network in the text colour; its name is next to it for screen readers. */
export function SocialIcon({ network }: { network: SocialNetwork }) {
  return (
    <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
      {drawings[network]}
    </svg>
  )
}
