{{- define "cloud-ffmpeg.evaluationSecret" -}}
{{- .Values.evaluation.existingSecret | default (printf "%s-evaluation" (include "cloud-ffmpeg.name" .)) -}}
{{- end -}}

{{- define "cloud-ffmpeg.evaluationHost" -}}
{{- printf "%s-%s.%s.svc" (include "cloud-ffmpeg.name" .root) .component .root.Release.Namespace -}}
{{- end -}}

{{/* Egress rules to servers of the evaluation; none without it. */}}
{{- define "cloud-ffmpeg.evaluationEgress" -}}
{{- if .root.Values.evaluation.enabled }}
{{- range .components }}
- to:
    - namespaceSelector:
        matchLabels: { kubernetes.io/metadata.name: {{ $.root.Release.Namespace | quote }} }
      podSelector:
        matchLabels: {{- include "cloud-ffmpeg.selectorLabels" (dict "root" $.root "component" .) | nindent 10 }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
One server of the evaluation: a Service, a StatefulSet of one pod with its volume, and who may reach it.
root, component, of (its values), port, container (its own part), folder (where its volume is).
*/}}
{{- define "cloud-ffmpeg.evaluationServer" -}}
{{- $server := . }}
{{- with .root }}
{{- $name := printf "%s-%s" (include "cloud-ffmpeg.name" .) $server.component }}
{{- $labels := dict "root" . "component" $server.component }}
{{- $volume := .Values.evaluation.volume }}
apiVersion: v1
kind: Service
metadata:
  name: {{ $name | quote }}
  namespace: {{ .Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" $labels | nindent 2 }}
spec:
  selector: {{- include "cloud-ffmpeg.selectorLabels" $labels | nindent 4 }}
  ports: [{ name: server, port: {{ $server.port }}, targetPort: server }]
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $name | quote }}
  namespace: {{ .Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" $labels | nindent 2 }}
spec:
  serviceName: {{ $name }}
  replicas: 1
  selector:
    matchLabels: {{- include "cloud-ffmpeg.selectorLabels" $labels | nindent 6 }}
  template:
    metadata:
      {{- include "cloud-ffmpeg.metadata" $labels | nindent 6 }}
    spec:
      automountServiceAccountToken: false
      {{- include "cloud-ffmpeg.podBasics" (dict "root" . "of" (dict "podSecurityContext" $server.of.podSecurityContext)) | nindent 6 }}
      # These images are for several architectures.
      nodeSelector: { kubernetes.io/os: linux }
      containers:
        - name: server
          image: {{ $server.of.image | quote }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          {{- $server.container | nindent 10 }}
          ports: [{ name: server, containerPort: {{ $server.port }} }]
          readinessProbe:
            tcpSocket: { port: server }
            periodSeconds: 2
          resources: {{- toYaml $server.of.resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: {{ $server.folder }} }
            - { name: tmp, mountPath: /tmp }
            {{- if eq $server.component "evaluation-database" }}
            - { name: password, mountPath: /etc/evaluation, readOnly: true }
            {{- end }}
      volumes:
        {{- if eq $server.component "evaluation-database" }}
        - name: password
          secret:
            secretName: {{ include "cloud-ffmpeg.evaluationSecret" . | quote }}
            items: [{ key: password, path: password }]
        {{- end }}
        - { name: tmp, emptyDir: {} }
        {{- if not $volume.persistent }}
        - name: data
          emptyDir: { sizeLimit: {{ $volume.size }} }
        {{- end }}
  {{- if $volume.persistent }}
  # What was tried leaves nothing behind.
  persistentVolumeClaimRetentionPolicy: { whenDeleted: Delete, whenScaled: Retain }
  volumeClaimTemplates:
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
        {{- include "cloud-ffmpeg.metadata" $labels | nindent 8 }}
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $volume.storageClassName }}
        storageClassName: {{ . | quote }}
        {{- end }}
        resources:
          requests: { storage: {{ $volume.size }} }
  {{- end }}
{{- if .Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $name | quote }}
  namespace: {{ .Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" $labels | nindent 2 }}
spec:
  podSelector:
    matchLabels: {{- include "cloud-ffmpeg.selectorLabels" $labels | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports: [{ port: server }]
      from:
        {{- range list "api-server" "operator" }}
        - podSelector:
            matchLabels: {{- include "cloud-ffmpeg.selectorLabels" (dict "root" $server.root "component" .) | nindent 14 }}
        {{- end }}
        {{- if eq $server.component "evaluation-storage" }}
        {{- range list "storage-prepare" "storage-cors" "test" }}
        - podSelector:
            matchLabels: {{- include "cloud-ffmpeg.selectorLabels" (dict "root" $server.root "component" .) | nindent 14 }}
        {{- end }}
        {{- range include "cloud-ffmpeg.watchedNamespaces" $server.root | fromJsonArray }}
        - namespaceSelector:
            matchLabels: { kubernetes.io/metadata.name: {{ . | quote }} }
          podSelector:
            matchLabels: { app.kubernetes.io/managed-by: cloud-ffmpeg }
        {{- end }}
        {{- end }}
{{- end }}
{{- end }}
{{- end -}}
