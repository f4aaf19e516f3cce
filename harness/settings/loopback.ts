/** Whether a host of a URL is this machine, and what is sent to it leaves no trace on a network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
