/** Characters that a text may share with a secret before they are masked. */
export const SHARED_RUN = 12;

/** Masks every secret, and every run of 12 characters shared with one, by its label. */
export interface Redactor {
  /** Registers a secret, also one derived from another, before it can reach any output. */
  add(label: string, secret: string): void;
  text(text: string): string;
}

export function createRedactor(): Redactor {
  const runs = new Map<string, string>();
  const short = new Map<string, string>();
  // A coarse filter on three characters: nearly every position of an innocent text is passed over without a substring.
  const heads = new Uint8Array(65536);
  const headOf = (text: string, at: number) =>
    (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1009 + text.charCodeAt(at + 5) * 7919) & 65535;

  const firstRun = (text: string, from: number): number => {
    for (let at = from; at + SHARED_RUN <= text.length; at += 1)
      if (heads[headOf(text, at)] === 1 && runs.has(text.slice(at, at + SHARED_RUN))) return at;
    return -1;
  };

  const maskShort = (text: string): string => {
    let masked = text;
    for (const [secret, label] of short) if (masked.includes(secret)) masked = masked.replaceAll(secret, `<${label}>`);
    return masked;
  };

  return {
    add(label, secret) {
      if (secret.length === 0) return;
      if (secret.length < SHARED_RUN) {
        short.set(secret, label);
        return;
      }
      // A domain is no secret (the target may live there): only runs that reach into the name before the @ count.
      const at = /^[^@\s]+@[^@\s]+$/.test(secret) ? secret.indexOf('@') : secret.length;
      for (let start = 0; start + SHARED_RUN <= secret.length && start <= at; start += 1) {
        const run = secret.slice(start, start + SHARED_RUN);
        if (!runs.has(run)) runs.set(run, label);
        heads[headOf(run, 0)] = 1;
      }
    },
    text(text) {
      let out = '';
      let from = 0;
      for (let at = firstRun(text, 0); at >= 0; at = firstRun(text, from)) {
        const label = runs.get(text.slice(at, at + SHARED_RUN)) ?? 'secret';
        let end = at + SHARED_RUN;
        while (end < text.length && runs.has(text.slice(end - SHARED_RUN + 1, end + 1))) end += 1;
        out += `${text.slice(from, at)}<${label}>`;
        from = end;
      }
      return maskShort(out + text.slice(from));
    },
  };
}
