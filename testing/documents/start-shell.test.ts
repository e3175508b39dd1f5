import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { startShell } from './start-shell.ts'
import type { Shell } from './start-shell.ts'

describe('startShell', () => {
  let shell: Shell
  beforeEach(() => {
    shell = startShell({ folder: tmpdir(), env: { PATH: process.env['PATH'] } })
  })
  afterEach(() => shell.close())

  it('keeps variables from one block to the next', async () => {
    await shell.run('id=$(echo 17)')
    expect(await shell.run('echo "$id"\nprintf no-newline')).to.deep.include({
      code: 0,
      output: '17\nno-newline',
    })
  })

  it('returns the exit code of a command that failed before the last one', async () => {
    expect((await shell.run('false\ntrue')).code).to.equal(1)
    expect((await shell.run('false || true')).code).to.equal(0)
  })

  it("returns the last command's exit code and what it wrote to standard error", async () => {
    const { code, errors } = await shell.run('echo fine; ls /no/such/folder')
    expect(code).to.be.greaterThan(0)
    expect(errors).to.contain('/no/such/folder')
    expect((await shell.run('true')).code).to.equal(0)
  })

  it('gives commands an empty standard input, and a here document where one is written', async () => {
    expect((await shell.run('cat; echo end')).output).to.equal('end\n')
    expect((await shell.run("cat <<'EOF'\na\nEOF")).output).to.equal('a\n')
  })

  it('rejects where a block ends the shell', async () => {
    const error: unknown = await shell.run('exit 3').catch((thrown: unknown) => thrown)
    expect(String(error)).to.contain('the shell ended')
  })

  it('ends what a block left in the background', async () => {
    // `tail` holds the shell's output, so that close() waits for its end.
    await shell.run('tail -f /dev/null &')
    await shell.close()
  })
})
