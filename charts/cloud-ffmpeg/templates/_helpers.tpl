{{- define "cloud-ffmpeg.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "cloud-ffmpeg.runnerNamespace" -}}
{{- .Values.runner.namespace | default .Release.Namespace -}}
{{- end -}}

{{- define "cloud-ffmpeg.selectorLabels" -}}
app.kubernetes.io/name: cloud-ffmpeg
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "cloud-ffmpeg.labels" -}}
{{ include "cloud-ffmpeg.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "cloud-ffmpeg.image" -}}
{{- $registry := required "\n\nimage.registry is not set: Cloud FFmpeg's images are in a registry of yours. From the repository's root:\n\n  npm run images -- --registry REGISTRY --push\n  helm upgrade --install cloud-ffmpeg charts/cloud-ffmpeg --set image.registry=REGISTRY ...\n" .root.Values.image.registry -}}
{{- printf "%s/cloud-ffmpeg/%s:%s" (trimSuffix "/" $registry) .component (.tag | default .root.Values.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}

{{- define "cloud-ffmpeg.databaseSecret" -}}
{{- .Values.database.existingSecret.name | default (printf "%s-database" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}

{{- define "cloud-ffmpeg.storageSecret" -}}
{{- .Values.storage.existingSecret.name | default (printf "%s-storage" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}

{{- define "cloud-ffmpeg.bootstrapSecret" -}}
{{- .Values.bootstrap.existingSecret | default (printf "%s-bootstrap" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}

{{- define "cloud-ffmpeg.publicEndpoint" -}}
{{- .Values.storage.publicEndpoint | default .Values.storage.endpoint -}}
{{- end -}}

{{- define "cloud-ffmpeg.publicBaseUrl" -}}
{{- .Values.storage.publicBaseUrl | default (printf "%s/%s" (trimSuffix "/" (include "cloud-ffmpeg.publicEndpoint" .)) .Values.storage.bucket) -}}
{{- end -}}

{{- define "cloud-ffmpeg.gatewayHost" -}}
{{ include "cloud-ffmpeg.name" . }}-gateway.{{ .Release.Namespace }}.svc
{{- end -}}

{{/* Restricted Pod Security, for every pod of the release. */}}
{{- define "cloud-ffmpeg.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "cloud-ffmpeg.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Environment that both servers read. */}}
{{- define "cloud-ffmpeg.commonEnv" -}}
- name: CLOUD_FFMPEG_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.databaseSecret" . }}
      key: {{ .Values.database.existingSecret.key }}
- name: CLOUD_FFMPEG_NAMESPACE
  value: {{ include "cloud-ffmpeg.runnerNamespace" . | quote }}
- name: CLOUD_FFMPEG_LOG_LEVEL
  value: {{ .Values.logLevel | quote }}
- name: CLOUD_FFMPEG_METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
- name: CLOUD_FFMPEG_PLANS
  value: {{ .Values.plans | toJson | quote }}
- name: CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL
  value: {{ include "cloud-ffmpeg.publicBaseUrl" . | quote }}
- name: CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT
  value: {{ include "cloud-ffmpeg.publicEndpoint" . | quote }}
- name: CLOUD_FFMPEG_STORAGE_BUCKET
  value: {{ .Values.storage.bucket | quote }}
- name: CLOUD_FFMPEG_STORAGE_REGION
  value: {{ .Values.storage.region | quote }}
- name: CLOUD_FFMPEG_STORAGE_PATH_STYLE
  value: {{ .Values.storage.pathStyle | quote }}
- name: CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.storageSecret" . }}
      key: {{ .Values.storage.existingSecret.accessKeyIdKey }}
- name: CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ include "cloud-ffmpeg.storageSecret" . }}
      key: {{ .Values.storage.existingSecret.secretAccessKeyKey }}
{{- end -}}

{{- define "cloud-ffmpeg.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .topologySpreadConstraints }}
topologySpreadConstraints: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "cloud-ffmpeg.operatorEnv" -}}
- name: CLOUD_FFMPEG_POD_NAME
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
{{- end -}}
