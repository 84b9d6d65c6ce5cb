import { Avatar } from '../ui/avatar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { AccountPart } from './account-part.tsx'

/** The user's picture or initials, and the way to change it. */
export function PicturePart({ avatarFile, name }: { avatarFile: string | null; name: string }) {
  return (
    <AccountPart id="picture" title="Picture">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar file={avatarFile} name={name} size="large" />
        <LinkButton to="/account/picture" size="small">
          {avatarFile ? 'Change or remove picture' : 'Add a picture'}
        </LinkButton>
      </div>
    </AccountPart>
  )
}
