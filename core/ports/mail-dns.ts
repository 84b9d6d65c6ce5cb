/** The DNS, as far as receivers of mails go by it. */
export interface MailDns {
  /** The TXT records of a name, the pieces of each joined; none where there is no such name. Throws where DNS does not answer in time: that says nothing of the name. */
  texts(name: string): Promise<string[]>
}
