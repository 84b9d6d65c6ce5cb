/** A text with `***` for the password of each address in it. A user name may be an email address: the host is after the last `@`. */
export function maskPasswords(text: string): string {
  return (
    text
      .replaceAll(/(\w+:\/\/[^\s/?#:]*):[^\s/?#]*@/g, '$1:***@')
      // A password with a slash, which makes the address invalid and is shown for that reason.
      .replaceAll(/(\w+:\/\/[^\s/?#:]*):[^\s"',]*@/g, '$1:***@')
  )
}
