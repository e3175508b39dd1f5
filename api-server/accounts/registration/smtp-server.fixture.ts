import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Readable } from 'node:stream'
import type { Email } from 'postal-mime'

export interface TestSmtpServer {
  readonly port: number
  /** Parsed mails in order of arrival. */
  readonly mails: Email[]
  /** Resolves with mail number `count` of this address, counted from 1. */
  mailTo(address: string, count?: number): Promise<Email>
  /** The answer to RCPT TO: success, a permanent or a transient refusal. */
  answer: 'accept' | 'no-mailbox' | 'busy'
  /** Recipients that are refused with a transient error, independent of the answer to others. */
  readonly busyFor: Set<string>
  /** Number of RCPT TO commands. */
  offered: number
  close(): Promise<void>
}

interface Options {
  readonly login?: { readonly user: string; readonly password: string }
}

/** A real SMTP server on the loopback address. */
export async function startSmtpServer({ login }: Options = {}): Promise<TestSmtpServer> {
  const waiting: { address: string; count: number; resolve: (mail: Email) => void }[] = []
  const to = (address: string) =>
    running.mails.filter(({ to: all }) => all?.some((one) => one.address === address))
  const notify = () => {
    for (const { address, count, resolve } of waiting) {
      const mail = to(address)[count - 1]
      if (mail !== undefined) resolve(mail)
    }
  }
  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      const known = username === login?.user && password === login?.password
      callback(known ? null : refusal(535, 'who are you?'), { user: username })
    },
    onRcptTo({ address }, _session, callback) {
      running.offered += 1
      if (running.busyFor.has(address)) callback(refusal(451, 'busy, come back later'))
      else if (running.answer === 'no-mailbox') callback(refusal(550, 'no such mailbox'))
      else if (running.answer === 'busy') callback(refusal(451, 'busy, come back later'))
      else callback(null)
    },
    onData(stream, _session, callback) {
      void receive(stream, callback)
    },
  })
  async function receive(stream: Readable, callback: () => void): Promise<void> {
    running.mails.push(await PostalMime.parse(await buffer(stream)))
    notify()
    callback()
  }
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const running: TestSmtpServer = {
    port: address.port,
    mails: [],
    answer: 'accept',
    busyFor: new Set(),
    offered: 0,
    mailTo(wanted, count = 1) {
      const { promise, resolve } = Promise.withResolvers<Email>()
      waiting.push({ address: wanted, count, resolve })
      notify()
      return promise
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return running
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
