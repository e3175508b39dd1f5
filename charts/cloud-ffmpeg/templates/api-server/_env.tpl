{{/* Environment of the API server. */}}
{{- define "cloud-ffmpeg.apiServerEnv" -}}
{{ include "cloud-ffmpeg.commonEnv" . }}
- name: CLOUD_FFMPEG_BOOTSTRAP_API_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.bootstrapSecret" . | quote }}
      key: {{ include "cloud-ffmpeg.bootstrapSecretKey" . | quote }}
      {{- if not .Values.bootstrap.existingSecret }}
      optional: true
      {{- end }}
{{- if and .Values.accounts.registration (or .Values.smtp.existingSecret.name .Values.smtp.user) }}
- name: CLOUD_FFMPEG_SMTP_USER
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.smtpSecret" . | quote }}
      key: {{ .Values.smtp.existingSecret.userKey | quote }}
- name: CLOUD_FFMPEG_SMTP_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.smtpSecret" . | quote }}
      key: {{ .Values.smtp.existingSecret.passwordKey | quote }}
{{- end }}
{{- end -}}
