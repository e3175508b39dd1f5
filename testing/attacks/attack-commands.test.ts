import { expect } from 'chai'
import { attackCommands } from './attack-commands.ts'
import { errorsOf, folders } from '../support/plan-one.ts'

const attacks = attackCommands({
  secret: '/srv/secret.txt',
  secretRelative: '../../../srv/secret.txt',
  outside: '/srv/out',
  outsideRelative: '../../../srv/out',
  host: '127.0.0.1:8099',
  job: '/job/in',
})
/** The first fifty, on which the rules were built, have two digits. */
const isFirst = (id: string): boolean => /^[RWNX]\d\d$/.test(id)
const front = 'ffmpeg -hide_banner -nostdin -y '

describe('attack commands', () => {
  it('the list has 50 first attacks with unique ids', () => {
    const first = attacks.map(({ id }) => id).filter(isFirst)
    expect(first.length).to.equal(50)
    expect(new Set(first).size).to.equal(50)
  })

  it('the list has more than 240 further attacks with unique ids', () => {
    const further = attacks.map(({ id }) => id).filter((id) => !isFirst(id))
    expect(new Set(further).size).to.equal(further.length)
    expect(further.length).to.be.greaterThan(240)
  })

  for (const { id, attack, token, twin } of attacks) {
    it(`${id} is refused at the attack, and its harmless twin is accepted`, () => {
      const command = front + attack
      const [error] = errorsOf(command, folders)
      expect(error, command).not.to.equal(undefined)
      if (isFirst(id)) expect(error?.type).to.equal('command_forbidden')
      const found = command.slice((error?.position ?? 0) - 1)
      expect(error?.token, error?.message).to.equal(token)
      expect(found.startsWith(token), found).to.equal(true)
      // A command that writes no file declares none.
      const declared = twin.endsWith('-f null -') ? { ...folders, outputs: {} } : folders
      expect(errorsOf(front + twin, declared), front + twin).to.deep.equal([])
    })
  }
})
