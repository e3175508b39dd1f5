import { expect } from 'chai'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { createSendMail } from './send-mail.ts'
import { startSmtpServer } from './smtp-server.fixture.ts'

const mail = { to: 'ada@example.com', subject: 'Hallo', text: `${'long line '.repeat(30)}\nend\n` }

function optionsFor(port: number) {
  return {
    host: '127.0.0.1',
    port,
    tls: 'none' as 'none' | 'starttls',
    user: undefined,
    password: undefined,
    from: 'Cloud FFmpeg <noreply@media.example>',
  }
}

describe('sending mail', () => {
  it('logs in when the server requires it, and rejects with a wrong password', async () => {
    const smtp = await startSmtpServer({ login: { user: 'media', password: 'secret' } })
    const options = { ...optionsFor(smtp.port), user: 'media' }
    const send = createSendMail({ ...options, password: 'secret' })
    expect(await send(mail)).to.equal('sent')
    expect(await rejectionOf(createSendMail({ ...options, password: 'old' })(mail))).to.be.an(
      'error',
    )
    const [received] = smtp.mails
    expect(received?.text?.trimEnd()).to.equal(mail.text.trimEnd())
    expect(received?.headers.find(({ key }) => key === 'auto-submitted')?.value).to.equal(
      'auto-generated',
    )
    await smtp.close()
  })

  it('distinguishes a mailbox that does not exist from transient errors', async () => {
    const smtp = await startSmtpServer()
    const send = createSendMail(optionsFor(smtp.port))
    smtp.answer = 'no-mailbox'
    expect(await send(mail)).to.equal('no-mailbox')
    smtp.answer = 'busy'
    expect(await rejectionOf(send(mail))).to.be.an('error')
    await smtp.close()
    expect(await rejectionOf(send(mail))).to.be.an('error')
  })

  it('sends nothing over an unencrypted connection unless a setting allows it', async () => {
    const smtp = await startSmtpServer()
    const send = createSendMail({ ...optionsFor(smtp.port), tls: 'starttls' })
    expect(await rejectionOf(send(mail))).to.be.an('error')
    expect(smtp.offered).to.equal(0)
    await smtp.close()
  })
})
