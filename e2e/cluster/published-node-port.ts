/** NodePort of the API's Service in clusters of this folder; kind publishes it on this machine. */
export const publishedNodePort = 30_080
