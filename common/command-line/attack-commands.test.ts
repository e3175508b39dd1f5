import { expect } from 'chai'
import { attackCommands } from './attack-commands.fixture.ts'
import { errorsOf, folders } from './plan-one.fixture.ts'

const attacks = attackCommands({
  secret: '/srv/secret.txt',
  secretRelative: '../../../srv/secret.txt',
  outside: '/srv/out',
  outsideRelative: '../../../srv/out',
  host: '127.0.0.1:8099',
  hostEscaped: String.raw`127.0.0.1\\:8099`,
  job: '/job/in',
})
const front = 'ffmpeg -hide_banner -nostdin -y '

describe('attack commands', () => {
  it('are fifty, each with its own id', () => {
    expect(new Set(attacks.map(({ id }) => id)).size).to.equal(50)
  })

  for (const { id, attack, token, twin } of attacks) {
    it(`${id} is refused at the attack, and its harmless twin is accepted`, () => {
      const command = front + attack
      const [error] = errorsOf(command, folders)
      expect(error?.type).to.equal('command_forbidden')
      expect(error?.token).to.equal(token)
      expect(command.slice((error?.position ?? 0) - 1).startsWith(token)).to.equal(true)
      expect(errorsOf(front + twin, folders)).to.deep.equal([])
    })
  }
})
