{{/* Environment of the API server. */}}
{{- define "cloud-ffmpeg.apiServerEnv" -}}
{{ include "cloud-ffmpeg.commonEnv" . }}
- name: CLOUD_FFMPEG_PORT
  value: '8080'
- name: CLOUD_FFMPEG_UPLOAD_SESSION_SECONDS
  value: {{ .Values.apiServer.uploadSessionSeconds | quote }}
- name: CLOUD_FFMPEG_CORS_ORIGINS
  value: {{ .Values.api.corsOrigins | toJson | quote }}
- name: CLOUD_FFMPEG_CONSOLE
  value: {{ .Values.console.enabled | quote }}
- name: CLOUD_FFMPEG_SERVE_UNDER_API
  value: {{ .Values.api.serveUnderApi | quote }}
- name: CLOUD_FFMPEG_LIVE_COMMANDS
  value: {{ .Values.apiServer.liveCommands | quote }}
- name: CLOUD_FFMPEG_LOOK_AHEAD
  value: {{ .Values.apiServer.lookAhead | quote }}
- name: CLOUD_FFMPEG_PRIORITY_AGE_SECONDS
  value: {{ .Values.operator.priorityAgeSeconds | quote }}
- name: CLOUD_FFMPEG_STREAMS
  value: {{ .Values.apiServer.streams | quote }}
- name: CLOUD_FFMPEG_POLL_CACHE_MS
  value: {{ .Values.apiServer.pollCacheMs | quote }}
- name: CLOUD_FFMPEG_WEBHOOK_CONCURRENCY
  value: {{ .Values.webhooks.concurrency | quote }}
- name: CLOUD_FFMPEG_BOOTSTRAP_ACCOUNT
  value: {{ .Values.bootstrap.account | quote }}
- name: CLOUD_FFMPEG_BOOTSTRAP_PLAN
  value: {{ .Values.bootstrap.plan | quote }}
- name: CLOUD_FFMPEG_BOOTSTRAP_API_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.bootstrapSecret" . | quote }}
      key: {{ include "cloud-ffmpeg.bootstrapSecretKey" . | quote }}
      {{- if not .Values.bootstrap.existingSecret }}
      optional: true
- name: CLOUD_FFMPEG_BOOTSTRAP_SECRET
  value: {{ printf "%s/%s" .Release.Namespace (include "cloud-ffmpeg.bootstrapSecret" .) | quote }}
      {{- end }}
{{ include "cloud-ffmpeg.accountsEnv" . }}
{{- end -}}
