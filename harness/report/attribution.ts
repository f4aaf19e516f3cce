import type { Attribution, Basis } from '../contract/contract.ts';

/** Whether something is stated or interpreted, as report.json holds it. */
export interface ReportedAttribution {
  readonly basis: Basis;
  /** Why it is interpreted. Null if it is stated. */
  readonly interpretation: string | null;
}

export function reportAttribution({ basis, reason }: Attribution): ReportedAttribution {
  return { basis, interpretation: reason ?? null };
}

/** `stated`, or `interpreted: Section 7 gives 401 for an invalid token.` */
export function attributionInWords({ basis, interpretation }: ReportedAttribution): string {
  return interpretation === null ? basis : `${basis}: ${interpretation}`;
}
