export interface Decision {
  time: string;
  pod: string;
  result: 'placed' | 'refused' | 'preempted';
  message: string;
  count: number;
}

export const RESULTS = ['placed', 'refused', 'preempted'] as const;

export interface Bar {
  from: number;
  counts: Record<Decision['result'], number>;
}

const STEPS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];

/** Decisions by time: about `wanted` bars of one of the lengths that clocks show. */
export function bars(decisions: Decision[], wanted = 60): { seconds: number; bars: Bar[] } {
  const times = decisions.map((each) => Date.parse(each.time)).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return { seconds: 1, bars: [] };
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const seconds = STEPS.find((step) => (last - first) / 1000 / step <= wanted) ?? STEPS[STEPS.length - 1];
  const begin = Math.floor(first / 1000 / seconds) * seconds * 1000;
  const made: Bar[] = [];
  const number = Math.min(1000, Math.floor((last - begin) / 1000 / seconds) + 1);
  for (let i = 0; i < number; i++) {
    made.push({ from: begin + i * seconds * 1000, counts: { placed: 0, refused: 0, preempted: 0 } });
  }
  for (const each of decisions) {
    const at = Math.floor((Date.parse(each.time) - begin) / 1000 / seconds);
    if (made[at]) made[at].counts[each.result]++;
  }
  return { seconds, bars: made };
}
