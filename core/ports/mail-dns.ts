/** The DNS records that receivers of emails use. */
export interface MailDns {
  /**
   * The TXT records of a name, the strings of each joined; an empty list if there is no such name. Throws if DNS does not
   * answer in time, as that says nothing about the name.
   */
  texts(name: string): Promise<string[]>
}
