{{- define "cloud-ffmpeg.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Values.nameOverride | default "cloud-ffmpeg" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Labels of an object or of pods; those that a selector names cannot be overridden. */}}
{{- define "cloud-ffmpeg.labels" -}}
{{- $own := include "cloud-ffmpeg.selectorLabels" . | fromYaml -}}
{{- $_ := set $own "app.kubernetes.io/version" .root.Chart.AppVersion -}}
{{- $_ := set $own "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $own "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) -}}
{{- merge $own (deepCopy (.labels | default dict)) (deepCopy .root.Values.commonLabels) | toYaml -}}
{{- end -}}

{{/* Labels and annotations of an object: its own, and those that all objects have. */}}
{{- define "cloud-ffmpeg.metadata" -}}
labels: {{- include "cloud-ffmpeg.labels" . | nindent 2 }}
{{- with merge (deepCopy (.annotations | default dict)) (deepCopy .root.Values.commonAnnotations) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Annotations of an object that exists for as long as the Job before helm uninstall. */}}
{{- define "cloud-ffmpeg.uninstallHook" -}}
helm.sh/hook: pre-delete
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
