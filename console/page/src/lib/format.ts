const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function bytes(amount: number): string {
  let unit = 0;
  let left = amount;
  while (left >= 1024 && unit < BINARY.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${left >= 100 || unit === 0 ? Math.round(left) : left.toFixed(1).replace(/\.0$/, '')} ${BINARY[unit]}`;
}

export function cpus(millis: number): string {
  return millis % 1000 === 0 ? String(millis / 1000) : `${millis}m`;
}

const NUMBER = new Intl.NumberFormat('en');

export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${NUMBER.format(amount)} ${amount === 1 ? noun : plural}`;
}

export function number(amount: number): string {
  return NUMBER.format(amount);
}

/** How long ago, in the two largest units, as kubectl has it. */
export function age(since: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (Number.isNaN(seconds)) return '';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h${minutes % 60 ? `${minutes % 60}m` : ''}`;
  return `${Math.floor(hours / 24)}d`;
}
