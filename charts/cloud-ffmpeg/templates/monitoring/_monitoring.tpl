{{/* Metadata of an object about metrics; `labels` and `annotations` are its own. */}}
{{- define "cloud-ffmpeg.metricsMetadata" -}}
{{ include "cloud-ffmpeg.metadata" (merge (dict "component" "metrics") .) }}
{{- end -}}

{{/* The pods of both servers have these labels, and runners do not. */}}
{{- define "cloud-ffmpeg.metricsSelector" -}}
app.kubernetes.io/name: {{ .Values.nameOverride | default "cloud-ffmpeg" | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
cloudffmpeg.dev/metrics: servers
{{- end -}}

{{/* The endpoint of a ServiceMonitor or PodMonitor: a list of one. */}}
{{- define "cloud-ffmpeg.metricsEndpoint" -}}
- port: metrics
  path: /metrics
  interval: {{ .interval }}
  scrapeTimeout: {{ .scrapeTimeout }}
  {{- with .relabelings }}
  relabelings: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .metricRelabelings }}
  metricRelabelings: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Labels of this release's metrics without braces: a PodMonitor's job begins with its namespace. */}}
{{- define "cloud-ffmpeg.metricsMatchers" -}}
namespace="{{ .Release.Namespace }}",job=~"(.+/)?{{ include "cloud-ffmpeg.name" . }}-metrics"
{{- end -}}
