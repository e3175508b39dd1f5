import type { Transporter } from 'nodemailer'
import type { Mail } from './activation-mail.ts'

export interface SmtpOptions {
  readonly host: string
  readonly port: number
  /** `starttls` and `implicit` refuse to go on without encryption. */
  readonly tls: 'starttls' | 'implicit' | 'none'
  /** Both or none. */
  readonly user: string | undefined
  readonly password: string | undefined
  /** `address` or `Name <address>`. */
  readonly from: string
}

/**
 * Resolves once the mail server has accepted the mail, or answered that the mailbox does not exist.
 * Rejects on every other failure, since it may be transient.
 */
export type SendMail = (mail: Mail) => Promise<'sent' | 'no-mailbox'>

export function createSendMail(options: SmtpOptions): SendMail {
  const { from } = options
  let transport: Promise<Transporter> | undefined
  return async (mail) => {
    transport ??= openTransport(options)
    try {
      // Prevents automatic replies such as vacation notices (RFC 3834).
      const headers = { 'Auto-Submitted': 'auto-generated' }
      await (await transport).sendMail({ ...mail, from, headers })
      return 'sent'
    } catch (error) {
      if (refusesRecipient(error)) return 'no-mailbox'
      throw error
    }
  }
}

/** Loaded with the first mail: most installations send none, and the library takes 2 MB. */
async function openTransport(options: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const { host, port, tls, user, password } = options
  return createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    // Milliseconds; the library's defaults are minutes.
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** A permanent refusal of the recipient (RFC 5321, 4.2.1), not of our login or our sender. */
function refusesRecipient(error: unknown): boolean {
  return (
    error instanceof Error &&
    'command' in error &&
    error.command === 'RCPT TO' &&
    'responseCode' in error &&
    typeof error.responseCode === 'number' &&
    error.responseCode >= 500
  )
}
