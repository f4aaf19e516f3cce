/** `20,000`. */
export function amount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 case`, `20,000 cases`. */
export function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `2 min 9 s`. */
export function minutesAndSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return [...(minutes > 0 ? [`${minutes} min`] : []), ...(rest > 0 || minutes === 0 ? [`${rest} s`] : [])].join(' ');
}
