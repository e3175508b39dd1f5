import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { copyAs, copyForms } from '../../console/command/copy-as.ts'
import { emptyDraft, usualOptions } from '../../console/draft/draft.ts'
import { shownRequest } from '../../console/draft/shown-request.ts'
import { makeClone, openShell } from './clone.fixture.ts'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { untilEnd } from '../steps/submit-and-wait.ts'
import type { CopyForm } from '../../console/command/copy-as.ts'
import type { Draft } from '../../console/draft/draft.ts'

/** How a user runs what he copied; without one, the text itself is pasted into a shell. */
const programs: Readonly<Partial<Record<CopyForm, { file: string; run: string }>>> = {
  javascript: { file: 'run.mjs', run: 'npx node run.mjs' },
  python: { file: 'run.py', run: 'python3 run.py' },
  json: {
    file: 'request.json',
    run: 'curl -sS "$CLOUD_FFMPEG_URL/v1/run-ffmpeg-command" -H "X-API-KEY: $CLOUD_FFMPEG_API_KEY" -d @request.json',
  },
}

const drafts: Readonly<Record<string, Pick<Draft, 'commands' | 'options'>>> = {
  'a draft without options': {
    commands: [
      `-i {{in_1}} -t 1 -vf "scale=160:-2" -metadata title="it's a \\"$HOME\\"" {{out_1}}`,
    ],
    options: usualOptions,
  },
  'a draft with all options': {
    commands: ['-i {{in_1}} -t 1 -vf scale=160:-2 {{out_1}}'],
    options: {
      ...usualOptions,
      vcpus: '1',
      seconds: '60',
      isPrivate: true,
      metadata: [['order', '17']],
    },
  },
}

describe('a form of "Show as", pasted where it belongs', () => {
  const env = useEnvironment()
  let folder: string
  before(async () => {
    folder = await makeClone(env)
  })

  for (const [name, parts] of Object.entries(drafts)) {
    for (const form of Object.keys(copyForms) as CopyForm[]) {
      it(`${name} runs as ${copyForms[form]}`, async () => {
        const output = `as-${form}-${Object.keys(drafts).indexOf(name)}.mp4`
        const url = env.origin.url('clip.mp4')
        const request = shownRequest({
          ...emptyDraft,
          ...parts,
          inputs: [{ alias: 'in_1', url, file: null, hint: null }],
          outputs: [{ alias: 'out_1', name: output }],
        })
        await paste(form, copyAs(form, request, env.installed.url))
        const id = await eventually('the command is in the list', () => idOf(output))
        const { status, error_message } = await untilEnd(env.client, id)
        expect([status, error_message]).to.deep.equal(['SUCCESS', null])
      })
    }
  }

  /** @returns the id of the newest command with this output, as soon as there is one */
  async function idOf(output: string): Promise<string | undefined> {
    for (const { command_id: id } of await env.client.listCommands({ limit: 5 })) {
      const { original_request: request } = await env.client.getCommand(id)
      const files = request?.output_files
      if (typeof files === 'object' && files['out_1'] === output) return id
    }
    return undefined
  }

  async function paste(form: CopyForm, text: string): Promise<void> {
    if (form === 'n8n') return asN8nSends(text)
    const shell = openShell(folder)
    try {
      await shell.run('source .quickstart/env')
      const program = programs[form]
      if (program !== undefined) await writeFile(path.join(folder, program.file), text)
      const { code, output, errors } = await shell.run(program?.run ?? text)
      expect(code, `${output}${errors}`).to.equal(0)
      expect(output).not.to.contain('"detail"')
    } finally {
      await shell.close()
    }
  }

  /** n8n itself needs a licence and a browser; its node "HTTP Request" sends these fields so. */
  async function asN8nSends(text: string): Promise<void> {
    const { nodes } = JSON.parse(text) as {
      nodes: { parameters: { method: string; url: string; jsonBody: string } }[]
    }
    for (const { parameters } of nodes) {
      const answer = await fetch(parameters.url, {
        method: parameters.method,
        headers: { 'Content-Type': 'application/json', 'X-API-KEY': env.installed.apiKey },
        body: parameters.jsonBody,
      })
      expect(answer.status, await answer.text()).to.equal(200)
    }
  }
})
