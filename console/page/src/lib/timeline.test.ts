import { expect, test } from 'vitest';
import { bars, type Decision } from './timeline';

function at(second: number, result: Decision['result'] = 'placed'): Decision {
  return { time: new Date(1_700_000_000_000 + second * 1000).toISOString(), pod: 'a/b', result, message: '', count: 1 };
}

test('no decisions are no bars', () => {
  expect(bars([]).bars).toEqual([]);
});

test('every decision is in one bar', () => {
  const all = [at(0), at(0, 'refused'), at(59), at(600), at(3599, 'preempted')];
  const { bars: made, seconds } = bars(all);

  expect(seconds).toBe(60);
  const sum = (result: Decision['result']) => made.reduce((total, bar) => total + bar.counts[result], 0);
  expect([sum('placed'), sum('refused'), sum('preempted')]).toEqual([3, 1, 1]);
});
