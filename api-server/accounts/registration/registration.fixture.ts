import { randomBytes } from 'node:crypto'
import { useResource } from '../../../testing/support/mocha.ts'
import { createMailOutbox } from './mail-outbox.ts'
import { createSendMail } from './send-mail.ts'
import { startSmtpServer } from './smtp-server.fixture.ts'
import { startTestApp } from '../../../testing/support/api/app.ts'
import { until } from '../../../testing/support/until.ts'
import { field } from '../../checked-call.fixture.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import type { Email } from 'postal-mime'
import type { AppOptions, TestApp } from '../../../testing/support/api/app.ts'
import type { Answered } from '../../checked-call.fixture.ts'
import type { Clock, Failpoint } from '../../../common/runtime/effects.ts'
import type { Loop } from '../../../common/runtime/loop.ts'
import type { TestSmtpServer } from './smtp-server.fixture.ts'

export interface RegistrationApp extends TestApp {
  readonly smtp: TestSmtpServer
  readonly outbox: Loop
  register(body: unknown, headers?: Record<string, string>): Promise<Answered>
  activate(token: string, headers?: Record<string, string>): Promise<Answered>
  /** Registers and waits for mail number `count`. @returns its token */
  tokenFor(email: string, count?: number): Promise<string>
}

interface Options {
  readonly change?: Partial<AppOptions>
  readonly requestsPerHour?: number
  readonly failpoint?: Failpoint
  /** Times the polls of the outbox. */
  readonly clock?: Clock
}

/** `startRegistrationApp` before the tests of a `describe`, and its `close` after them. */
export function useRegistrationApp(options: Options = {}): RegistrationApp {
  return useResource(() => startRegistrationApp(options))
}

/** The API with registration on, a mail server, and the outbox running in between. */
export async function startRegistrationApp(options: Options = {}): Promise<RegistrationApp> {
  const { change = {}, requestsPerHour = 1_000, failpoint } = options
  const smtp = await startSmtpServer()
  const effects = systemEffects(failpoint)
  let wake = () => {}
  const registration = { plan: 'free', requestsPerHour, randomBytes, wake: () => wake() }
  const app = await startTestApp({ registration, effects, ...change })
  const outbox = createMailOutbox({
    store: app.store,
    logger: silentLogger,
    randomBytes,
    effects: { ...effects, clock: options.clock ?? effects.clock },
    publicUrl: `${app.url}/`,
    sendMail: createSendMail({
      host: '127.0.0.1',
      port: smtp.port,
      tls: 'none',
      user: undefined,
      password: undefined,
      from: 'Cloud FFmpeg <noreply@media.example>',
    }),
  })
  wake = () => outbox.wake()
  const stopping = new AbortController()
  const running = outbox.run(stopping.signal)
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.post(path, body, { key: null, headers })

  const isUnsent = async (email: string): Promise<boolean> => {
    const statement = 'select from registrations where email = $1 and sent_at is null'
    return (await app.query('unsent', statement, [email])).length > 0
  }

  const started: RegistrationApp = {
    ...app,
    smtp,
    outbox,
    register: (body, headers) => post('/v1/accounts', body, headers),
    activate: (token, headers) => post('/v1/accounts/activate', { token }, headers),
    async tokenFor(email, count = 1) {
      await started.register({ email })
      const mail = await smtp.mailTo(email.toLowerCase(), count)
      // The mail arrives before the outbox records it; until then another registration adds nothing.
      await until(async () => !(await isUnsent(email.toLowerCase())), 'the mail to be recorded')
      return tokenIn(mail)
    },
    async close() {
      stopping.abort()
      await running
      await app.close()
      await smtp.close()
    },
  }
  return started
}

/** The link that a mail's reader opens. */
export function linkIn(mail: Email): URL {
  const [link] = /https?:\/\/\S+\/activate\?\S+/.exec(mail.text ?? '') ?? []
  if (link === undefined) throw new Error(`no link in ${mail.text}`)
  return new URL(link)
}

export function tokenIn(mail: Email): string {
  return linkIn(mail).searchParams.get('token') ?? ''
}

export function keyIn({ body }: Answered): string {
  return String(field(body, 'api_key'))
}
