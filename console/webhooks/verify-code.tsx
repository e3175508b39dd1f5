import { useSignal } from '@preact/signals'
import { Chips } from '../controls/choices.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
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
