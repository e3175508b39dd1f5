import { useSignal } from '@preact/signals'
import { Chips } from '../controls/choices.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { apiUrl } from '../shell/navigation.ts'
import { secretVariable, verifySamples } from './verify-samples.ts'

type Language = keyof typeof verifySamples

export function VerifyCode() {
  const language = useSignal<Language>('Node')
  const code = verifySamples[language.value]
  return (
    <details class="part column box">
      <summary>Verify events</summary>
      <p class="muted">
        Store the secret as {secretVariable}. An event may come twice: webhook-id is the same then.
        The code uses the npm package cloud-ffmpeg or the file cloud_ffmpeg.py; the{' '}
        <a href={new URL('docs/guides/webhooks', apiUrl).href} target="_blank" rel="noopener">
          guide
        </a>{' '}
        verifies events without them.
      </p>
      <div class="actions">
        <Chips
          label="Language"
          names={{ Node: 'Node', Python: 'Python' }}
          value={language.value}
          choose={(name) => (language.value = name)}
        />
        <CopyButton text={code} what="code" worded />
      </div>
      <pre class="code" tabIndex={0} aria-label={`Receiver in ${language.value}`}>
        {code}
      </pre>
    </details>
  )
}
