import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Section } from '../ui/facts.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatCard, StatCards } from '../ui/stat-card.tsx'

const kinds = ['primary', 'secondary', 'quiet', 'danger'] as const
const sizes = ['small', 'medium', 'large'] as const
const badges = ['neutral', 'info', 'success', 'warning', 'danger'] as const
const banners = ['info', 'success', 'warning', 'danger'] as const

/** Buttons, badges, banners and figures. */
export function KitSigns() {
  return (
    <>
      <Section title="Buttons">
        <div className="space-y-3">
          {kinds.map((kind) => (
            <div key={kind} className="flex flex-wrap items-center gap-3">
              <Button kind={kind}>{`A ${kind} one`}</Button>
              <Button kind={kind} isPending>
                {`${kind}, pending`}
              </Button>
              <Button kind={kind} isDisabled>
                {`${kind}, disabled`}
              </Button>
            </div>
          ))}
          <div className="flex flex-wrap items-center gap-3">
            {sizes.map((size) => (
              <Button key={size} size={size}>
                {`A ${size} one`}
              </Button>
            ))}
            <LinkButton to="/">A link as a button</LinkButton>
          </div>
        </div>
      </Section>
      <Section title="Badges">
        <div className="flex flex-wrap gap-2">
          {badges.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Section>
      <Section title="Banners">
        <div className="space-y-3">
          {banners.map((tone) => (
            <Banner key={tone} tone={tone} title={`A banner of kind ${tone}`}>
              It is shown until its cause has been fixed.
            </Banner>
          ))}
        </div>
      </Section>
      <Section title="Figures and their placeholder">
        <StatCards label="Sample figures">
          <StatCard label="Readers" value="1,204" note="today" />
          <StatCard label="Orders" value="£18,204.50" note="last 30 days" isWide />
          <StatCard label="Renewed" value="81%" />
        </StatCards>
        <div className="mt-4 space-y-2">
          <Skeleton />
          <Skeleton height={40} />
        </div>
      </Section>
    </>
  )
}
