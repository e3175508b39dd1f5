import { expect } from 'chai'
import { craftedAttacks } from './attack-commands-crafted.ts'
import { attackCommands } from './attack-commands.ts'
import { errorsOf, folders } from '../../common/command-line/plan-one.fixture.ts'

const targets = {
  secret: '/srv/secret.txt',
  secretRelative: '../../../srv/secret.txt',
  outside: '/srv/out',
  outsideRelative: '../../../srv/out',
  host: '127.0.0.1:8099',
  hostEscaped: String.raw`127.0.0.1\\:8099`,
  job: '/job/in',
}
const attacks = attackCommands(targets)
const crafted = craftedAttacks(targets)
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

  it('of our own are each known by an id of their own', () => {
    expect(new Set(crafted.map(({ id }) => id)).size).to.equal(crafted.length)
    expect(crafted.length).to.be.greaterThan(240)
  })

  for (const { id, attack, token, twin } of crafted) {
    it(`${id} is refused at the attack, and its harmless twin is accepted`, () => {
      const command = front + attack
      const [error] = errorsOf(command, folders)
      expect(error, command).not.to.equal(undefined)
      const found = command.slice((error?.position ?? 0) - 1)
      expect(error?.token, error?.message).to.equal(token)
      expect(found.startsWith(token), found).to.equal(true)
      expect(errorsOf(front + twin, folders), front + twin).to.deep.equal([])
    })
  }
})
